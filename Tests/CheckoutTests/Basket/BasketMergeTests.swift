import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `The basket of several devices` {
  private let service = FaultyService()
  private let log = LogRecorder()
  private let prices: PriceList

  init() throws {
    prices = try Shop.example().prices
    Log.instance = log
  }

  private func device(_ basket: Basket? = nil) -> BasketClient {
    BasketClient(store: MemoryBasketStore(basket), service: service, prices: prices)
  }

  /// Two devices with one basket, which holds those lines.
  private func devices(_ lines: [BasketLine]) async throws -> [BasketClient] {
    let first = device()
    let basket = try await first.add(lines)
    let second = device(basket)
    #expect(try await second.synchronize() == basket)
    return [first, second]
  }

  /// Brings all devices together, and returns what each has then, once for all if it is the same.
  private func meet(_ devices: [BasketClient]) async throws -> Set<[SKU: Int]> {
    for device in devices + devices { try await device.synchronize() }
    var baskets: Set<[SKU: Int]> = []
    for device in devices { baskets.insert(quantities(try await device.basket())) }
    return baskets
  }

  private func quantities(_ basket: Basket) -> [SKU: Int] {
    Dictionary(uniqueKeysWithValues: basket.lines.map { ($0.sku, $0.quantity) })
  }

  private func offline(_ body: () async throws -> Void) async rethrows {
    service.fault = .unreachable
    try await body()
    service.fault = nil
  }

  @Test func `has what both have added while they were offline`() async throws {
    let devices = try await devices([try BasketLine("coffee", 2)])
    try await offline {
      try await devices[0].add("coffee", 3)
      try await devices[1].add("coffee")
      try await devices[1].add("mug")
    }
    #expect(try await meet(devices) == [["coffee": 6, "mug": 1]])
  }

  @Test func `has what one has added, and not what the other has removed`() async throws {
    let devices = try await devices([try BasketLine("coffee", 2), try BasketLine("mug", 2)])
    try await offline {
      try await devices[0].remove("coffee")
      try await devices[0].remove("mug")
      try await devices[1].add("coffee")
    }
    #expect(try await meet(devices) == [["coffee": 1]])
    #expect(await devices[0].conflicts == [])
  }

  @Test func `has no product that both have removed`() async throws {
    let devices = try await devices([try BasketLine("coffee", 2), try BasketLine("mug", 1)])
    try await offline {
      try await devices[0].remove("coffee")
      try await devices[1].clear()
    }
    #expect(try await meet(devices) == [[:]])
  }

  @Test func `is overwritten by no device, however many changes it has made`() async throws {
    let devices = try await devices([try BasketLine("coffee", 1)])
    try await offline { for _ in 0..<5 { try await devices[0].add("mug") } }
    try await devices[1].add("grinder")
    try await devices[0].add("mug")
    #expect(try await meet(devices) == [["coffee": 1, "mug": 6, "grinder": 1]])
  }

  @Test func `has the coupon that the service had first, and says that another is not kept`()
    async throws
  {
    let devices = try await devices([try BasketLine("coffee", 20)])
    try await offline { try await devices[0].use(coupon: "WELCOME10") }
    try await devices[1].use(coupon: "BIGSPENDER")
    #expect(try await devices[0].synchronize().coupon == "BIGSPENDER")
    #expect(try await devices[1].synchronize().coupon == "BIGSPENDER")
    let conflict = BasketConflict.coupon("WELCOME10", kept: "BIGSPENDER")
    #expect(await devices[0].conflicts == [conflict])
    #expect(await devices[1].conflicts == [])
    #expect(
      conflict.description == """
        the coupon “WELCOME10” was not kept, since another device has put in “BIGSPENDER”; use it \
        again if you want it
        """)
    #expect(log.told.count { $0 == "notice basket not merged wholly" } == 1)
  }

  @Test func `has a coupon that one has changed, or both to the same`() async throws {
    let devices = try await devices([try BasketLine("coffee", 20)])
    try await offline {
      try await devices[0].use(coupon: "WELCOME10")
      try await devices[1].use(coupon: "WELCOME10")
    }
    _ = try await meet(devices)
    #expect(try await devices[0].basket().coupon == "WELCOME10")
    try await offline { try await devices[0].use(coupon: nil) }
    try await devices[1].add("mug")
    #expect(try await meet(devices) == [["coffee": 20, "mug": 1]])
    #expect(try await devices[1].basket().coupon == nil)
    for device in devices { #expect(await device.conflicts == []) }
  }

  @Test func `has no more of a product than a basket takes, and says so`() async throws {
    let devices = try await devices([try BasketLine("mug")])
    try await offline { for device in devices { try await device.add("mug", 600_000) } }
    #expect(try await meet(devices) == [["mug": 1_000_000]])
    let all = await devices[0].conflicts + devices[1].conflicts
    #expect(all == [.quantity("mug", 1_200_001, kept: 1_000_000)])
  }

  @Test(arguments: [false, true])
  func `has nothing twice if the answer to an offer is lost`(othersChange: Bool) async throws {
    let devices = try await devices([try BasketLine("coffee", 1)])
    service.fault = .lostAnswer
    try await devices[0].add("coffee")
    service.fault = .unreachable
    try await devices[0].add("mug")
    service.fault = nil
    if othersChange {
      try await devices[1].add("coffee")
      try await devices[1].add("grinder")
      #expect(try await meet(devices) == [["coffee": 3, "mug": 1, "grinder": 1]])
    } else {
      #expect(try await meet(devices) == [["coffee": 2, "mug": 1]])
    }
  }

  @Test func `has nothing twice if the service keeps no marks of offers`() async throws {
    service.dropsMarks = true
    let devices = try await devices([try BasketLine("coffee", 1)])
    for count in 1...4 {
      try await devices[count % 2].synchronize()
      try await devices[count % 2].add("coffee")
    }
    service.fault = .lostAnswer
    try await devices[0].add("coffee")
    service.fault = nil
    try await devices[0].add("mug")
    #expect(try await meet(devices) == [["coffee": 6, "mug": 1]])
  }

  @Test(arguments: [FaultyService.Fault.lostBasket, .olderBasket], [false, true])
  func `is given again to a service that has lost it, or was set back`(
    fault: FaultyService.Fault, dropsMarks: Bool
  ) async throws {
    service.dropsMarks = dropsMarks
    let devices = try await devices([try BasketLine("coffee", 1), try BasketLine("filters", 1)])
    try await devices[0].add("mug")
    try await devices[1].synchronize()
    // The older copy has them still.
    try await devices[0].remove("filters")
    service.lose(fault)
    #expect(try await meet(devices) == [["coffee": 1, "mug": 1]])
    let kept = try await service.fetch(try await devices[0].basket().id)
    #expect(kept.map(quantities) == ["coffee": 1, "mug": 1])
  }

  @Test func `keeps what another device has given to a service that had lost it`() async throws {
    let devices = try await devices([try BasketLine("coffee", 1)])
    for _ in 0..<3 { try await devices[0].add("mug") }
    service.lose(.lostBasket)
    try await devices[1].add("grinder")
    #expect(try await meet(devices) == [["coffee": 1, "mug": 3, "grinder": 1]])
  }

  @Test func `keeps what is there and here, where no common copy is known`() async throws {
    let basket = try Self.basket(lines: [("coffee", 3), ("mug", 1)])
    service.keep(try Self.basket(lines: [("coffee", 1), ("grinder", 2)], revision: 9))
    #expect(try await meet([device(basket)]) == [["coffee": 3, "mug": 1, "grinder": 2]])
  }

  @Test(arguments: 0..<100)
  func `loses and doubles nothing, whatever the service does`(seed: Int) async throws {
    var numbers = SeededNumbers(seed)
    var devices = try await devices([try BasketLine("coffee", 1)])
    devices.append(device(try await devices[0].basket()))
    try await devices[2].synchronize()
    var added: [SKU: Int] = ["coffee": 1]
    for _ in 0..<40 {
      service.fault =
        [nil, nil, .unreachable, .lostAnswer].randomElement(using: &numbers) ?? nil
      let device = try #require(devices.randomElement(using: &numbers))
      if Bool.random(using: &numbers) {
        let sku = try #require([SKU("coffee"), "mug"].randomElement(using: &numbers))
        try await device.add(sku)
        added[sku, default: 0] += 1
      } else {
        try await device.synchronize()
      }
    }
    service.fault = nil
    #expect(try await meet(devices) == [added])
  }

  @Test func `loses and doubles nothing of what tasks, processes and devices do at once`()
    async throws
  {
    let basket = try await device().add("coffee")
    let stores = (0..<3).map { _ in MemoryBasketStore(basket) }
    // Two clients of a store are as two processes.
    let clients = (stores + stores).map {
      BasketClient(store: $0, service: service, prices: prices)
    }
    for client in clients { try await client.synchronize() }
    service.isShaky = true
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in clients {
        for _ in 0..<40 {
          group.addTask { try await client.add("coffee") }
          group.addTask { try await client.synchronize() }
        }
      }
      try await group.waitForAll()
    }
    service.isShaky = false
    #expect(try await meet(clients) == [["coffee": 241]])
  }

  static let id = "B9D3A9A0-0000-7000-8000-000000000000"

  static func basket(
    _ id: String = id, lines: [(String, Int)] = [], revision: Int = 4, coupon: String? = nil
  ) throws -> Basket {
    let lines = lines.map { #"{"sku": "\#($0)", "quantity": \#($1)}"# }.joined(separator: ",")
    let coupon = coupon.map { #", "coupon": "\#($0)""# } ?? ""
    return try JSONDecoder().decode(
      Basket.self,
      from: Data(
        #"{"id": "\#(id)", "revision": \#(revision), "lines": [\#(lines)]\#(coupon)}"#.utf8))
  }

  /// What a service can say that is no basket of this shop, and the field that it is about.
  static let lies: [(Basket, String)] = [
    (try? basket(lines: [("bicycle", 1)]), "lines[0].sku"),
    (try? basket(lines: [("mug", 1), ("poster", 1)]), "lines"),
    (try? basket(revision: 9_007_199_254_740_991), "revision"),
    (try? basket(revision: 1_000_006), "revision"),
    (try? basket("B9D3A9A0-0000-7000-8000-000000000001"), "id"),
    (try? basket(lines: [("mug", 1)], coupon: "FREE"), "coupon"),
  ].compactMap { basket, field in basket.map { ($0, field) } }

  @Test(arguments: lies)
  func `goes on as it was if the service lies`(lie: Basket, field: String) async throws {
    let before = try Self.basket(lines: [("coffee", 2)])
    let device = device(before)
    service.fault = .lie(lie)
    #expect(try await device.synchronize().lines == before.lines)
    #expect(try await device.add("mug").lines == before.lines + [try BasketLine("mug")])
    let told = log.records.filter { $0.metadata["reason"] == "bad_answer" }
    #expect(
      told.map(\.message.description) == ["basket service not read", "basket service not written"])
    #expect(told.allSatisfy { $0.metadata["field"] == .string(field) })
    #expect(try await device.basket().revision == 5)
    _ = try await device.price()
  }

  @Test(arguments: [(1_000_004, true), (1_000_005, false)])
  func `is taken with a revision that is a million ahead at most`(
    revision: Int, isTaken: Bool
  ) async throws {
    let device = device(try Self.basket(lines: [("coffee", 2)]))
    service.keep(try Self.basket(lines: [("coffee", 3)], revision: revision))
    let quantities = quantities(try await device.synchronize())
    #expect(quantities == ["coffee": isTaken ? 3 : 2])
  }

  @Test func `is offered three times by one change, to a service that always has another`()
    async throws
  {
    let service = RestlessService()
    let device = BasketClient(store: MemoryBasketStore(), service: service, prices: prices)
    #expect(quantities(try await device.add("coffee"))["coffee"] == 1)
    #expect(service.offers == 3)
    #expect(quantities(try await device.add("coffee"))["coffee"] == 2)
    #expect(service.offers == 6)
  }

  @Test func `may have products that the shop sells no more`() async throws {
    let device = device(try Self.basket(lines: [("bicycle", 2)]))
    try await device.add([], coupon: nil)
    try await device.synchronize()
    try await device.remove("mug")
    #expect(try await device.remove("bicycle").isEmpty)
    #expect(!log.records.contains { $0.metadata["reason"] == "bad_answer" })
    #expect(try await service.fetch(try await device.basket().id)?.isEmpty == true)
  }
}

/// A service whose basket another device has always changed meanwhile.
private final class RestlessService: BasketService {
  private let count = Guarded(0)

  var offers: Int { count.withLock { $0 } }

  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? { nil }

  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return try? `The basket of several devices`.basket(
      "\(basket.id)", lines: [("mug", number)], revision: 100 * number)
  }
}

/// A service in memory that can be out of reach, lose answers and baskets, and lie.
final class FaultyService: BasketService {
  enum Fault: Sendable {
    case unreachable, lostAnswer, lostBasket, olderBasket
    case lie(Basket)
  }

  private struct State {
    var fault: Fault?
    var dropsMarks = false
    var isShaky = false
    var calls = 0
    var kept: [Basket] = []
  }

  private let state = Guarded(State())

  var fault: Fault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  var dropsMarks: Bool {
    get { state.withLock { $0.dropsMarks } }
    set { state.withLock { $0.dropsMarks = newValue } }
  }

  /// Whether it answers late, and some calls not at all.
  var isShaky: Bool {
    get { state.withLock { $0.isShaky } }
    set { state.withLock { $0.isShaky = newValue } }
  }

  func keep(_ basket: Basket) { state.withLock { $0.kept.append(basket) } }

  func lose(_ fault: Fault) {
    state.withLock { state in
      if case .lostBasket = fault { state.kept = [] } else { _ = state.kept.popLast() }
    }
  }

  /// Lets others in, and fails every seventh call before it is served, or after it.
  private func shake() async throws(BasketServiceError) {
    let call = state.withLock { state in
      state.calls += 1
      return state.isShaky ? state.calls : nil
    }
    guard let call else { return }
    for _ in 0..<(call % 5) { await Task.yield() }
    if call % 7 == 0 { throw .unreachable("shaken") }
  }

  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    try await shake()
    return try state.withLock { state throws(BasketServiceError) in
      switch state.fault {
      case .unreachable: throw .unreachable("down")
      case .lie(let basket): return basket
      default: return state.kept.last
      }
    }
  }

  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    let basket = dropsMarks ? Self.withoutMarks(basket) : basket
    try await shake()
    let answer = try take(basket, replacing: revision)
    try await shake()
    return answer
  }

  private func take(
    _ basket: Basket, replacing revision: Int?
  ) throws(BasketServiceError) -> Basket? {
    try state.withLock { state throws(BasketServiceError) in
      switch state.fault {
      case .unreachable: throw .unreachable("down")
      case .lie(let basket): return basket
      default: break
      }
      if state.kept.last?.revision == revision { state.kept.append(basket) }
      if case .lostAnswer = state.fault { throw .unreachable("no answer") }
      return state.kept.last
    }
  }

  private static func withoutMarks(_ basket: Basket) -> Basket {
    guard
      var fields = try? JSONSerialization.jsonObject(with: JSONEncoder().encode(basket))
        as? [String: Any]
    else { return basket }
    fields["offers"] = nil
    let data = try? JSONSerialization.data(withJSONObject: fields)
    return data.flatMap { try? JSONDecoder().decode(Basket.self, from: $0) } ?? basket
  }
}
