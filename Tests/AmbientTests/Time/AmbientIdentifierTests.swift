// SPDX-License-Identifier: Apache-2.0

import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.isolatedAmbients) struct `Identifiers` {
  let date = Date(timeIntervalSince1970: 1_795_755_600.125)

  private func milliseconds(_ id: UUID) -> Int {
    let bytes = id.uuid
    return [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `an AmbientIdentifier is a version 7 UUID`() {
    for _ in 0..<100 {
      let bytes = AmbientIdentifier.next().uuid
      #expect(bytes.6 >> 4 == 7)
      #expect(bytes.8 >> 6 == 0b10)
    }
  }

  @Test(arguments: [
    ("2026-11-27T05:00:00.125Z", 1_795_755_600_125), ("1970-01-01T00:00:00Z", 0),
    ("2026-11-27T05:00:00.9996Z", 1_795_755_600_999),
    ("1969-12-31T23:59:59.999Z", 0), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
  ])
  func `an AmbientIdentifier starts with the current time in milliseconds`(
    text: String, expected: Int
  ) throws {
    #expect(try Time.freeze(at: text) { milliseconds(AmbientIdentifier.next()) } == expected)
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, 1e18, -1e18])
  func `an AmbientIdentifier at a date out of range has the nearest time that fits`(
    interval: Double
  ) {
    let time = FixedTime(at: Date(timeIntervalSinceReferenceDate: interval), uptime: .zero)
    let id = Time.withInstance(time) { AmbientIdentifier.next() }
    let (first, last) = (0, 281_474_976_710_000)
    let expected = interval.isNaN ? [first, last] : [interval < 0 ? first : last]
    #expect(expected.contains(milliseconds(id)))
  }

  #if os(Linux)
    @Test func `a forked child's identifiers have other random bits than its parent's`() async {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        let file = folder.path("random")
        let source = IdentifierSource()
        _ = source.next()
        let end = statusOfFork {
          let random = "\(source.next().random)"
          return FileManager.default.createFile(atPath: file, contents: Data(random.utf8)) ? 0 : 1
        }
        #expect(end == 0)
        let childs = try folder.text("random")
        #expect(childs != "\(source.next().random)")
      }
    }
  #endif

  /// A time at which all identifiers have the same bits.
  private final class SeededTime: Time, @unchecked Sendable {
    override var now: Date { Date(timeIntervalSince1970: 1_795_755_600.125) }

    override func seededBits() -> IdentifierSource.Bits? {
      IdentifierSource.Bits(number: 0xABCD_EF12, random: 0xFEDC_BA98_7654_3210)
    }
  }

  @Test func `the time, counter and random bits of an AmbientIdentifier have fixed positions`()
    throws
  {
    let id = Time.withInstance(SeededTime()) { AmbientIdentifier.next() }
    // 48 bits of time, the version, 12 bits of the number, the variant, 20 bits of the number, and
    // 42 random bits.
    #expect(id.uuidString == "01A21B5F-E8FD-7ABC-B7BC-4A9876543210")
    let words = Time.withInstance(SeededTime()) {
      AmbientIdentifier.words(at: Date(timeIntervalSince1970: 0.001))
    }
    #expect(UUID(words).uuidString == "00000000-0001-7ABC-B7BC-4A9876543210")
  }

  @Test
  func `in virtual time, the counter of AmbientIdentifier starts at one and increases by one`()
    async throws
  {
    func numbers() -> [UInt32?] { (0..<3).map { _ in Time.instance.seededBits()?.number } }
    try await Time.virtual(from: date) { _ in
      #expect(numbers() == [1, 2, 3])
      Time.travel(by: .seconds(1)) { #expect(numbers() == [4, 5, 6]) }
      Time.freeze(at: date) { #expect(numbers() == [7, 8, 9]) }
      try Time.scale(by: 2) { #expect(numbers() == [10, 11, 12]) }
    }
  }

  @Test func `an IdentifierSource counts up by one and gives different random bits each time`() {
    let source = IdentifierSource()
    let bits = (0..<10 * SystemRandom.wordsAtOnce).map { _ in source.next() }
    #expect(zip(bits, bits.dropFirst()).allSatisfy { $0.number &+ 1 == $1.number })
    #expect(Set(bits.map(\.random)).count == bits.count)
    #expect(!bits.contains { $0.random == 0 })
    #expect(IdentifierSource().next().number != IdentifierSource().next().number)
  }

  /// A timer without jitter takes no random number, so the identifiers stay the same.
  @Test func `in virtual time, the same seed gives the same identifier, and the default seed is 0`()
    async throws
  {
    func next() -> UUID {
      #expect(Time.instance.randomPart(of: .zero) == .zero)
      return AmbientIdentifier.next()
    }
    let text = "2026-11-27T05:00:00.125Z"
    let expected = try await Time.virtual(from: date, seed: 0) { _ in AmbientIdentifier.next() }
    #expect(try await Time.virtual(from: date) { _ in next() } == expected)
    #expect(try await Time.virtual(from: text) { _ in next() } == expected)
    for trait in [AmbientTrait.virtualTime(from: date), .virtualTime(from: text)] {
      try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current) {
        #expect(AmbientIdentifier.next() == expected)
      }
    }
  }

  @Test func `AmbientIdentifiers from the same millisecond sort in the order of their creation`() {
    // One pair in four billion is not in order: where the count starts again.
    let ids = Time.freeze(at: date) { (0..<1_000).map { _ in AmbientIdentifier.next().uuidString } }
    let descents = zip(ids, ids.dropFirst()).count { $0 >= $1 }
    #expect(descents <= 1)
  }

  @Test func `an AmbientIdentifier from a later millisecond sorts after an earlier identifier`() {
    let ids = (0..<1_000).map { step in
      Time.freeze(at: date + Double(step) / 500) { AmbientIdentifier.next().uuidString }
    }
    #expect(ids == ids.sorted())
  }

  @Test func `AmbientIdentifiers created by concurrent tasks are unique`() async {
    let date = date
    let all = await withTaskGroup(of: [UUID].self) { group in
      for _ in 0..<8 {
        group.addTask {
          Time.freeze(at: date) { (0..<20_000).map { _ in AmbientIdentifier.next() } }
        }
      }
      return await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
    }
    #expect(all.count == 160_000)
  }

  @Test func `in virtual time, the same seed gives the same sequence of sorted identifiers`()
    async throws
  {
    func made(seed: UInt64) async throws -> [String] {
      try await Time.virtual(from: date, seed: seed) { _ in
        (0..<100).map { _ in AmbientIdentifier.next().uuidString }
      }
    }
    let ids = try await made(seed: 7)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    #expect(try await made(seed: 7) == ids)
    #expect(Set(try await made(seed: 8)).isDisjoint(with: ids))
  }

  @Test func `consecutive AmbientIdentifiers have different random bits`() {
    let ids = Time.freeze(at: date) { (0..<1_000).map { _ in AmbientIdentifier.next().uuid } }
    // The last five bytes are random and nothing else.
    let tails = ids.map { [$0.11, $0.12, $0.13, $0.14, $0.15] }
    #expect(Set(tails).count == ids.count)
    for bit in 0..<40 {
      let set = tails.count { $0[bit / 8] >> (bit % 8) & 1 == 1 }
      // Fifteen standard deviations: a bit that is stuck is found, chance is not.
      #expect((260...740).contains(set))
    }
  }
}
