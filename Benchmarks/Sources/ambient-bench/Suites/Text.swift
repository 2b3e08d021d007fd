// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension Suite {
  /// Stamps: instants as text, and identifiers.
  static let text = Suite(
    name: "text", abstract: "ISO 8601 text, read and written; identifiers"
  ) { bench in
    let start = Date(timeIntervalSinceReferenceDate: 817_448_220)
    try await bench.measure(
      "writing", floor: copying(stamp: "2026-11-27T05:17:00.123456Z"),
      [
        writing("in one second, 6 digits", 6) { start + Double($0 & 0xFFFF) * 1e-5 },
        writing("in one second, 3 digits", 3) { start + Double($0 & 0xFFFF) * 1e-5 },
        writing("second after second", 6) { start + Double($0 & 0x7FFF) },
        writing("day after day", 6) { start + Double($0 & 0xFFF) * 86_400 },
        Case("Foundation's format style", allowance: 100) { count in
          let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
          return carry(count) { $0 &+ style.format(start).utf8.count }
        },
      ])
    try await bench.measure(
      "reading", floor: copying(stamp: "2026-11-27T00:00:00.25-05:00"),
      [
        reading("a date with Z", "2026-11-27T05:00:00Z"),
        reading("a date with a fraction and an offset", "2026-11-27T00:00:00.25-05:00"),
      ])
    Time.instance = DefaultTime()
    _ = Time.instance
    try await bench.measure(
      "identifiers", floor: Case("Time.now", threads: [1, 2]) { readTime($0) },
      [
        // Each fetch of random words takes one block, for 32 identifiers.
        Case("AmbientIdentifier.next()", threads: [1, 2], allowance: 0.04) { makeIDs($0) },
        Case("UUID()", threads: [1, 2]) { count in
          carry(count) { $0 &+ Int(UUID().uuid.15) }
        },
      ])
  }
}

/// The least that a stamp can cost: its bytes are there already.
private func copying(stamp: String) -> Case {
  Case("copying such a text") { count in
    let source = Array(stamp.utf8)
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
      carry(count) { value in
        buffer.copyBytes(from: source)
        return value &+ Int(buffer[20])
      }
    }
  }
}

/// A string of a date, which takes a block.
private func writing(
  _ name: String, _ digits: Int, _ date: @escaping @Sendable (Int) -> Date
) -> Case {
  Case(name, allowance: 1) { count in
    var sum = 0
    for index in 0..<count { sum &+= date(index).iso8601(fractionDigits: digits).utf8.count }
    return sum
  }
}

private func reading(_ name: String, _ text: String) -> Case {
  Case(name) { count in
    try carry(count) { $0 &+ Int(try Date(iso8601: text).timeIntervalSinceReferenceDate) & 1 }
  }
}

private func readTime(_ count: Int) -> Int {
  carry(count) { $0 &+ Int(bitPattern: UInt(Time.now.timeIntervalSinceReferenceDate.bitPattern)) }
}

private func makeIDs(_ count: Int) -> Int {
  carry(count) { $0 &+ Int(AmbientIdentifier.next().uuid.15) }
}
