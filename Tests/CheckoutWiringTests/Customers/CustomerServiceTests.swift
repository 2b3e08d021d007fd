// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T12:00:00Z")) struct `Customer service` {
  let repository = MemoryCustomerRepository()
  let passwords = CountingPasswords()
  let service: StandardCustomerService
  let log = LogRecorder()
  let analytics = AnalyticsRecorder()

  init() {
    service = StandardCustomerService(repository: repository, passwords: passwords)
    Log.instance = log
    Analytics.instance = analytics
  }

  @Test func `a customer signs in with the right password`() async throws {
    let ada = try await service.register(name: "Ada", password: "open sesame")
    #expect(ada.registered == Time.now)
    #expect(try await service.authenticate(name: "Ada", password: "open sesame") == ada)
    #expect(analytics.events == [.signUp, .login])
  }

  @Test
  func `a sign-in with an unknown name fails with the same error and log as a wrong password`()
    async throws
  {
    _ = try await service.register(name: "Ada", password: "open sesame")
    let records = log.records.count
    await #expect(throws: CustomerError.notAuthenticated) {
      try await service.authenticate(name: "Ada", password: "guess")
    }
    #expect(passwords.checks == 1)
    await #expect(throws: CustomerError.notAuthenticated) {
      try await service.authenticate(name: "Bob", password: "guess")
    }
    #expect(passwords.checks == 2)
    let said = log.records[records...].map { "\($0.level) \($0.message) \($0.metadata)" }
    #expect(said.count == 2 && said[0] == said[1])
    #expect(analytics.events == [.signUp])
  }

  @Test func `customer names and passwords don't appear in logs, events or errors`() async throws {
    let ada = try await service.register(name: "Ada-Name", password: "Secret-1")
    _ = try? await service.authenticate(name: "Ada-Name", password: "Secret-2")
    _ = try await service.authenticate(name: "Ada-Name", password: "Secret-1")
    _ = try? await service.authenticate(name: "Bob-Name", password: "Secret-3")
    _ = try await service.promote(ada.id, to: .gold)
    let record = try #require(repository.record(named: "Ada-Name"))
    var dumped = ""
    dump(record.password, to: &dumped)
    let said =
      "\(log.records) \(analytics.trackedEvents) \(dumped) \(record.password) "
      + "\(CustomerError.nameTaken) \(String(reflecting: record.password))"
    #expect(log.records.count == 5)
    for word in ["Ada-Name", "Bob-Name", "Secret", "terceS"] {
      #expect(!said.contains(word), "\(word)")
    }
  }

  @Test func `customer registration refuses a duplicate or empty name and an empty password`()
    async throws
  {
    _ = try await service.register(name: "Ada", password: "1")
    await #expect(throws: CustomerError.nameTaken) {
      try await service.register(name: "Ada", password: "2")
    }
    await #expect(throws: CustomerError.emptyName) {
      try await service.register(name: " \n", password: "2")
    }
    await #expect(throws: CustomerError.password(.empty)) {
      try await service.register(name: "Bob", password: "")
    }
    #expect(try await service.authenticate(name: "Ada", password: "1").name == "Ada")
  }

  @Test func `customer names match regardless of case, width and Unicode form`() async throws {
    let ada = try await service.register(name: " Amélie Straße ", password: "1")
    #expect(ada.name == "Amélie Straße")
    for name in ["Amélie Straße", "AME\u{301}LIE STRASSE", "ａmélie\u{A0}straße\n"] {
      #expect(try await service.authenticate(name: name, password: "1") == ada)
      await #expect(throws: CustomerError.nameTaken) {
        try await service.register(name: name, password: "2")
      }
    }
    await #expect(throws: CustomerError.notAuthenticated) {
      try await service.authenticate(name: "Amelie Straße", password: "1")
    }
  }

  @Test func `a password matches in composed and decomposed Unicode form`() async throws {
    let service = StandardCustomerService(
      repository: repository, passwords: SystemPasswordVerifier(rounds: 1_000))
    let ada = try await service.register(name: "Ada", password: "caf\u{E9}")
    #expect(try await service.authenticate(name: "Ada", password: "cafe\u{301}") == ada)
    let bob = try await service.register(name: "Bob", password: "cafe\u{301}")
    #expect(try await service.authenticate(name: "Bob", password: "caf\u{E9}") == bob)
    await #expect(throws: CustomerError.notAuthenticated) {
      try await service.authenticate(name: "Bob", password: "cafe")
    }
  }

  @Test func `a weak password hash is replaced at a successful sign-in, not at a failed sign-in`()
    async throws
  {
    let weak = SystemPasswordVerifier(rounds: 1_000)
    let strong = SystemPasswordVerifier(rounds: 2_000)
    let before = StandardCustomerService(repository: repository, passwords: weak)
    let now = StandardCustomerService(repository: repository, passwords: strong)
    let ada = try await before.register(name: "Ada", password: "1")
    let old = try #require(repository.record(named: "Ada")).password
    await #expect(throws: CustomerError.notAuthenticated) {
      try await now.authenticate(name: "Ada", password: "2")
    }
    #expect(repository.record(named: "Ada")?.password == old)
    #expect(try await now.authenticate(name: "Ada", password: "1") == ada)
    let new = try #require(repository.record(named: "Ada")).password
    #expect(SystemPasswordVerifier.rounds(of: new) == 2_000)
    #expect(try await now.authenticate(name: "Ada", password: "1") == ada)
    #expect(repository.record(named: "Ada")?.password == new)
    // One that is stronger than need be stays.
    #expect(try await before.authenticate(name: "Ada", password: "1") == ada)
    #expect(repository.record(named: "Ada")?.password == new)
    // A hash that was replaced meanwhile is not.
    try repository.replace(old, with: old, of: ada.id)
    #expect(repository.record(named: "Ada")?.password == new)
    let nobody = UUID()
    #expect(throws: CustomerError.unknownCustomer(nobody)) {
      try repository.replace(new, with: old, of: nobody)
    }
  }

  @Test func `customer operations are logged with the customer's ID`() async throws {
    let ada = try await service.register(name: "Ada", password: "1")
    _ = try await service.authenticate(name: "Ada", password: "1")
    _ = try await service.promote(ada.id, to: .silver)
    _ = try await service.credit(3, to: ada.id)
    _ = try? await service.authenticate(name: "Bob", password: "2")
    #expect(
      log.records.map { "\($0.level.rawValue) \($0.message)" } == [
        "info customer registered", "info customer signed in", "info customer promoted",
        "info points credited", "notice sign-in refused",
      ])
    let records = log.records.prefix(4)
    #expect(records.allSatisfy { $0.metadata["customer"] == ada.id.ambientValue })
    #expect(records.compactMap { $0.metadata["tier"] } == ["silver"])
    #expect(records.compactMap { $0.metadata["points"] } == [3])
  }

  /// A repository that takes no other hash than the first.
  private struct Unchanging: CustomerRepository {
    let kept = MemoryCustomerRepository()

    func record(named name: String) -> CustomerRecord? { kept.record(named: name) }

    func add(_ record: CustomerRecord) throws(CustomerError) { try kept.add(record) }

    func replace(
      _ old: PasswordHash, with new: PasswordHash, of id: Customer.ID
    ) throws(CustomerError) {
      throw .repository("it is full")
    }

    func apply(_ change: CustomerChange, to id: Customer.ID) throws(CustomerError) -> Customer {
      try kept.apply(change, to: id)
    }
  }

  @Test func `if a weak password hash can't be replaced, the sign-in succeeds with a warning`()
    async throws
  {
    let (weak, strong) = (
      SystemPasswordVerifier(rounds: 1_000), SystemPasswordVerifier(rounds: 2_000)
    )
    let full = Unchanging()
    for (repository, record) in [
      (repository, "info password rehashed"), (full, "warning password not rehashed"),
    ] as [(any CustomerRepository, String)] {
      let before = StandardCustomerService(repository: repository, passwords: weak)
      let now = StandardCustomerService(repository: repository, passwords: strong)
      let ada = try await before.register(name: "Ada", password: "1")
      let told = log.records.count
      #expect(try await now.authenticate(name: "Ada", password: "1") == ada)
      #expect(
        log.records.dropFirst(told).map { "\($0.level.rawValue) \($0.message)" }
          == [record, "info customer signed in"])
    }
  }

  @Test func `a sign-in with an unknown name costs as many hash rounds as a wrong password`()
    async throws
  {
    let counted = CountedRounds()
    let passwords = counted.verifier(rounds: 3_000)
    let service = StandardCustomerService(repository: repository, passwords: passwords)
    let hashes = [
      try passwords.hash("1"), try SystemPasswordVerifier(rounds: 1_000).hash("1"),
      try SystemPasswordVerifier(rounds: 2_999).hash("1"), PasswordHash(rawValue: "*"),
      PasswordHash(rawValue: ""), PasswordHash(rawValue: "$unknown$salt$"),
    ]
    for (number, hash) in hashes.enumerated() {
      try repository.add(
        CustomerRecord(customer: Customer(name: "customer \(number)"), password: hash))
    }
    var rounds: Set<Int> = []
    for name in ["unknown", "", "a\0b"] + hashes.indices.map({ "customer \($0)" }) {
      counted.reset()
      await #expect(throws: CustomerError.notAuthenticated) {
        try await service.authenticate(name: name, password: "2")
      }
      rounds.insert(counted.rounds)
    }
    #expect(rounds == [4_000])
  }

  @Test func `promoting a customer to their current tier is refused`() async throws {
    let ada = try await service.register(name: "Ada", password: "1")
    #expect(try await service.promote(ada.id, to: .silver).tier == .silver)
    await #expect(throws: CustomerError.notAPromotion(from: .silver, to: .silver)) {
      try await service.promote(ada.id, to: .silver)
    }
    let nobody = try Customer(name: "nobody").id
    await #expect(throws: CustomerError.unknownCustomer(nobody)) {
      try await service.promote(nobody, to: .gold)
    }
    #expect(repository.record(named: "Ada")?.customer.tier == .silver)
    #expect(analytics.events == [.signUp, .levelUp(.silver)])
  }

  @Test func `concurrent credits to one customer add up without losing points`() async throws {
    let ada = try await service.register(name: "Ada", password: "1")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { _ = try await service.credit(3, to: ada.id) } }
      try await group.waitForAll()
    }
    #expect(repository.record(named: "Ada")?.customer.points == 600)
    #expect(try await service.credit(1, to: ada.id).points == 601)
    for points in [0, -1, .max] {
      await #expect(throws: CustomerError.wrongPoints(points)) {
        try await service.credit(points, to: ada.id)
      }
    }
  }
}
