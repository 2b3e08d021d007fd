import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `An identifier` {
  let date = Date(timeIntervalSince1970: 1_795_755_600.125)

  private func milliseconds(_ id: UUID) -> Int {
    let bytes = id.uuid
    return [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `is a UUID of version 7`() {
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
  func `starts with the caller's time`(text: String, expected: Int) throws {
    #expect(try Time.freeze(at: text) { milliseconds(AmbientIdentifier.next()) } == expected)
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, 1e18, -1e18])
  func `can be made at any date`(interval: Double) {
    let time = FixedTime(at: Date(timeIntervalSinceReferenceDate: interval), uptime: .zero)
    let id = Time.withInstance(time) { AmbientIdentifier.next() }
    #expect([0, 0xFFFF_FFFF_FFFF - 655].contains { abs(milliseconds(id) - $0) < 1_000 })
  }

  @Test func `comes after those that were made before it in the same millisecond`() {
    // One pair in four billion is not in order: where the count starts again.
    let ids = Time.freeze(at: date) { (0..<1_000).map { _ in AmbientIdentifier.next().uuidString } }
    let descents = zip(ids, ids.dropFirst()).count { $0 >= $1 }
    #expect(descents <= 1)
  }

  @Test func `comes after those of an earlier millisecond`() {
    let ids = (0..<1_000).map { step in
      Time.freeze(at: date + Double(step) / 500) { AmbientIdentifier.next().uuidString }
    }
    #expect(ids == ids.sorted())
  }

  @Test func `is unlike any other, whichever thread makes it`() async {
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

  @Test func `repeats itself in virtual time, in order`() async throws {
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

  @Test func `has random bits that differ from one to the next`() {
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
