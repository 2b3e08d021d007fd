import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

/// In virtual time: whoever has to wait sleeps, and nobody waits.
@Suite(.virtualTime(from: "2026-11-27T00:00:00Z")) struct `Wrong guesses` {
  let service = StandardCustomerService(
    repository: MemoryCustomerRepository(), passwords: CountingPasswords())

  init() async throws {
    Log.instance = NoLog()
    _ = try await service.register(name: "Ada", password: "right")
  }

  /// How long a guess is told to wait; nil if it was looked at.
  private func wait(
    _ name: String = "Ada", _ password: String = "wrong", from source: String?
  ) async throws -> Duration? {
    do throws(CustomerError) {
      _ = try await service.authenticate(name: name, password: password, from: source)
    } catch .tooManyGuesses(let wait) {
      return wait
    } catch .notAuthenticated {
    }
    return nil
  }

  /// Guesses as fast as it is let, so many times, and returns how long that took.
  @discardableResult
  private func guess(_ count: Int, at name: String = "Ada", from source: String?) async throws
    -> Duration
  {
    let start = Time.uptime
    for _ in 0..<count {
      while let wait = try await wait(name, from: source) { try await Time.sleep(for: wait) }
    }
    return Time.uptime - start
  }

  @Test func `have to wait, each twice as long as the one before`() async throws {
    var waits: [Duration] = []
    for _ in 0..<12 {
      let wait = try await wait(from: "thief")
      waits.append(wait ?? .zero)
      if let wait {
        try await Time.sleep(for: wait - .milliseconds(1))
        #expect(try await self.wait(from: "thief") == .milliseconds(1))
        try await Time.sleep(for: .milliseconds(1))
        #expect(try await self.wait(from: "thief") == nil)
      }
    }
    let seconds = [0, 0, 0] + (0...8).map { 1 << $0 }
    #expect(waits == seconds.map { .seconds($0) })
    #expect(try await guess(144, from: "thief") > .seconds(20 * 3_600))
    let longest = try #require(try await wait(from: "thief"))
    #expect(longest <= .seconds(600))
  }

  @Test func `are refused before they are looked at, be the password right`() async throws {
    try await guess(6, from: "thief")
    let passwords = try #require(service.passwords as? CountingPasswords)
    let checks = passwords.checks
    await #expect(throws: CustomerError.tooManyGuesses(wait: .seconds(8))) {
      try await service.authenticate(name: "Ada", password: "right", from: "thief")
    }
    #expect(passwords.checks == checks)
  }

  @Test func `wait alike for a name that nobody has, and for any way of writing one`() async throws
  {
    for name in ["Ada", "Nobody"] {
      try await guess(5, at: name, from: "thief")
      #expect(try await wait(name.uppercased(), from: "thief") == .seconds(4))
    }
  }

  @Test func `do not lock out another source, nor one that signed in before`() async throws {
    #expect(try await wait("Ada", "right", from: "home") == nil)
    for source in 0..<50 { try await guess(3, from: "thief \(source)") }
    try await guess(20, from: "thief 0")
    #expect(try await wait("Ada", "right", from: "elsewhere") == nil)
    #expect(try await wait("Ada", "right", from: "home") == nil)
    // Neither does the thief who guesses from the owner's own source.
    try await guess(40, from: "home")
    let bound = try #require(try await wait("Ada", "right", from: "home"))
    #expect(bound == .seconds(30))
    try await Time.sleep(for: bound)
    #expect(try await wait("Ada", "right", from: "home") == nil)
  }

  @Test func `wait for half a minute at most where no source is known`() async throws {
    try await guess(40, from: nil)
    #expect(try await wait("Ada", "right", from: nil) == .seconds(30))
    #expect(try await wait("Bob", from: nil) == nil)
  }

  @Test func `of many sources at one name are free once for each`() async throws {
    for source in 0..<10 { #expect(try await wait(from: "thief \(source)") == nil) }
    #expect(try await wait(from: "another") == nil)
    #expect(try await wait(from: "another") == .seconds(1))
    #expect(try await wait("Bob", from: "another") == nil)
    #expect(try await wait("Bob", from: "another") == nil)
  }

  @Test func `of one source at many names wait, too`() async throws {
    for number in 0..<30 { #expect(try await wait("name \(number)", from: "thief") == nil) }
    #expect(try await wait("another", from: "thief") == .seconds(1))
    #expect(try await wait("another", from: "other") == nil)
  }

  @Test func `of one source at many names wait for a minute at most`() async throws {
    for number in 0..<30 { #expect(try await wait("name \(number)", from: "thief") == nil) }
    var waits: [Duration?] = []
    for number in 30..<38 {
      let wait = try await wait("name \(number)", from: "thief")
      waits.append(wait)
      try await Time.sleep(for: wait ?? .zero)
      #expect(try await self.wait("name \(number)", from: "thief") == nil)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }

  @Test func `are fewer than ten if the others of many sources were right`() async throws {
    for source in 0..<12 { #expect(try await wait("Ada", "right", from: "home \(source)") == nil) }
    for source in 0..<9 { #expect(try await wait(from: "thief \(source)") == nil) }
    for _ in 0..<3 { #expect(try await wait(from: "another") == nil) }
    #expect(try await wait(from: "another") == .seconds(1))
  }

  @Test func `are those of a source whose customers all sign in, but not these`() async throws {
    for number in 0..<31 {
      _ = try await service.register(name: "customer \(number)", password: "right")
      #expect(try await wait("customer \(number)", "right", from: "office") == nil)
    }
    for number in 0..<30 { #expect(try await wait("name \(number)", from: "office") == nil) }
    #expect(try await wait("another", from: "office") == .seconds(1))
  }

  @Test func `are forgotten one by one, each after ten minutes`() async throws {
    #expect(try await guess(12, from: "thief") == .seconds(511))
    try await Time.sleep(for: .seconds(89) - .milliseconds(1))
    #expect(try await wait(from: "thief") == .seconds(423) + .milliseconds(1))
    // Ten minutes after the first of the twelve, it is as after eleven.
    try await Time.sleep(for: .milliseconds(1))
    #expect(try await wait(from: "thief") == .seconds(256 - 89))
    try await Time.sleep(for: .seconds(256 - 89))
    #expect(try await wait(from: "thief") == nil)
    #expect(try await wait(from: "thief") == .seconds(512))
  }

  @Test func `are forgotten in time, and by a right one`() async throws {
    try await guess(5, from: "home")
    try await Time.sleep(for: .seconds(4))
    #expect(try await wait("Ada", "right", from: "home") == nil)
    for _ in 0..<3 { #expect(try await wait(from: "home") == nil) }
    #expect(try await wait(from: "home") == .seconds(1))
    try await Time.sleep(for: .seconds(3_600))
    for _ in 0..<3 { #expect(try await wait(from: "home") == nil) }
    #expect(try await wait(from: "home") == .seconds(1))
  }

  @Test func `that come at once are counted before they are looked at`() async throws {
    let looked = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask { (try? await self.wait(from: "thief")) == .some(.none) }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(looked == 3)
  }

  @Test func `of ever more sources take no more memory, and let no one go who goes on`()
    async throws
  {
    try await guess(6, from: "thief")
    try await guess(11, from: "another")
    for number in 0..<12_000 {
      #expect(try await wait("name \(number)", from: "source \(number)") == nil)
      if number % 3_000 == 0 { try await guess(1, from: "thief") }
      if number == 10_010 { #expect(try await wait(from: "another") == nil) }
    }
    #expect(try await wait(from: "thief") != nil)
  }
}
