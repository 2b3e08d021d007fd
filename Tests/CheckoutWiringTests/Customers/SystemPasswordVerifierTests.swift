// SPDX-License-Identifier: Apache-2.0

import Checkout
import CheckoutWiring
import Testing

@Suite struct `System password verifier` {
  let verifier = SystemPasswordVerifier(rounds: 1_000)

  @Test func `a password hash verifies only its own password`() throws {
    let hash = try verifier.hash("open sesame")
    #expect(verifier.verify("open sesame", against: hash))
    for other in ["open sesamE", "open sesame ", "", "open\0sesame", "open sesame\0"] {
      #expect(!verifier.verify(other, against: hash), "\(other)")
    }
  }

  @Test func `two hashes of one password differ by their salts`() throws {
    let hashes = try [verifier.hash("1"), verifier.hash("1")]
    #expect(hashes[0] != hashes[1])
    #expect(hashes.allSatisfy { verifier.verify("1", against: $0) })
  }

  @Test func `SystemPasswordVerifier.decoy costs as much as a real hash and matches no password`()
    throws
  {
    let hash = try verifier.hash("1").rawValue
    let decoy = verifier.decoy
    #expect(hash.split(separator: "$").prefix(2) == decoy.rawValue.split(separator: "$").prefix(2))
    #expect(!decoy.rawValue.isEmpty && !verifier.verify("", against: decoy))
    #expect(!verifier.verify(decoy.rawValue, against: decoy))
  }

  @Test func `an empty, overlong or null-containing password is refused`() {
    #expect(throws: PasswordError.empty) { try verifier.hash("") }
    #expect(throws: PasswordError.nullCharacter) { try verifier.hash("a\0b") }
    let long = String(repeating: "é", count: 256)
    #expect(throws: PasswordError.tooLong(limit: 511)) { try verifier.hash(long) }
    #expect(!verifier.verify(long, against: verifier.decoy))
  }

  @Test func `a password of 511 bytes is accepted and compared in full`() throws {
    let longest = String(repeating: "a", count: 511)
    let hash = try verifier.hash(longest)
    #expect(verifier.verify(longest, against: hash))
    #expect(!verifier.verify(String(longest.dropLast()), against: hash))
  }

  /// The parts of the setting by which a verifier asks the system for a hash.
  private func setting(_ rounds: Int) throws -> [Substring] {
    let verifier = SystemPasswordVerifier(rounds: rounds) { _, setting in setting }
    let parts = try verifier.hash("1").rawValue.split(
      separator: "$", omittingEmptySubsequences: false)
    try #require(parts.count == 5)
    return parts
  }

  @Test(arguments: [
    (Int.min, 1_000), (999, 1_000), (1_001, 1_001), (9_999_999, 9_999_999), (.max, 9_999_999),
  ])
  func `a password's hash rounds are clamped to 1,000 through 9,999,999`(rounds: Int, clamped: Int)
    throws
  {
    #expect(try setting(rounds)[2] == "rounds=\(clamped)")
    let decoy = SystemPasswordVerifier(rounds: rounds).decoy.rawValue
    #expect(decoy.contains("$rounds=\(clamped)$") && decoy.hasSuffix("$................$"))
  }

  @Test func `a password verifier uses 100,000 hash rounds by default`() {
    #expect(SystemPasswordVerifier().decoy.rawValue.contains("$rounds=100000$"))
  }

  @Test func `a password salt has 16 characters from a set of 64`() throws {
    var letters: Set<Character> = []
    for _ in 0..<200 {
      let salt = try setting(1_000)[3]
      #expect(salt.count == 16)
      letters.formUnion(salt)
    }
    #expect(letters.count == 64)
  }

  @Test(arguments: [
    ("$6$", 5_000), ("$5$salt", 5_000), ("$6$salt$digest", 5_000), ("$6$rounds=7$salt$digest", 7),
    ("$6$rounds=12345$salt$", 12_345), ("$6$rounds=x$salt$", 0), ("$6$rounds=$salt$", 0),
    ("$1$salt$", 0), ("6$rounds=7$salt$", 0), ("", 0), ("$", 0),
  ])
  func `a password hash's rounds are parsed, and are 0 if the hash format is unknown`(
    text: String, rounds: Int
  ) {
    #expect(SystemPasswordVerifier.rounds(of: PasswordHash(rawValue: text)) == rounds)
  }

  @Test func `a truncated password hash has 0 rounds and doesn't trap`() async {
    await #expect(processExitsWith: .success) {
      #expect(SystemPasswordVerifier.rounds(of: PasswordHash(rawValue: "$6")) == 0)
    }
  }

  @Test func `a malformed password hash matches no password`() {
    for text in ["", "*", "x", "$6$", "$unknown$salt$digest", "\0"] {
      #expect(!verifier.verify("1", against: PasswordHash(rawValue: text)), "\(text)")
    }
  }

  @Test func `a password hash with fewer rounds or another scheme counts as weak`() throws {
    let hash = try verifier.hash("1")
    #expect(!verifier.isWeak(hash) && !SystemPasswordVerifier(rounds: 0).isWeak(hash))
    #expect(SystemPasswordVerifier(rounds: 1_001).isWeak(hash))
    for text in ["", "*", "$1$salt$digest", "$5$rounds=999999$salt$digest"] {
      #expect(verifier.isWeak(PasswordHash(rawValue: text)), "\(text)")
    }
  }

  #if os(Linux)
    /// The scheme's published vectors, which OpenSSL's `passwd -6` makes too.
    static let hashes = [
      "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoE"
        + "OfaS35inz1",
      "$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vO"
        + "uZeHBy/YTBmSK6H9qs/y3RnOaw5v.",
    ].map { PasswordHash(rawValue: $0) }

    @Test(arguments: hashes)
    func `a hash made by another program verifies its password`(hash: PasswordHash) {
      #expect(verifier.verify("Hello world!", against: hash))
      #expect(!verifier.verify("Hello world?", against: hash))
    }
  #endif

  @Test func `concurrent tasks verify passwords correctly`() async throws {
    let hashes = try (0..<8).map { try verifier.hash("password \($0)") }
    await withTaskGroup(of: Bool.self) { group in
      for round in 0..<64 {
        group.addTask {
          verifier.verify("password \(round % 8)", against: hashes[round % 8])
            && !verifier.verify("password \(round % 8)", against: hashes[(round + 1) % 8])
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
