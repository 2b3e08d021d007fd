// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AmbientCollectors

@Suite struct `RequestCeiling growth` {
  /// How many requests of `size` bytes are accepted until the limit is another; 0 if it stays.
  private func accepted(_ size: Int, by ceiling: inout RequestCeiling) -> Int {
    let before = ceiling.bytes
    for count in 1...10_000 {
      ceiling.noteAccepted(size)
      if ceiling.bytes != before { return count }
    }
    return 0
  }

  @Test
  func `if a 413 follows a growth, RequestCeiling needs twice as many requests to grow again`() {
    var ceiling = RequestCeiling()
    #expect(ceiling.bytes == .max)
    for needed in [32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096] {
      ceiling.noteTooLarge(200)
      #expect(ceiling.bytes == 100)
      let count = accepted(51, by: &ceiling)
      #expect(count == needed && ceiling.bytes == 200)
    }
  }

  @Test func `if a request above the RequestCeiling is accepted, growth needs 32 requests again`() {
    var ceiling = RequestCeiling()
    ceiling.noteTooLarge(200)
    var counts = [accepted(51, by: &ceiling)]
    ceiling.noteTooLarge(200)
    counts.append(accepted(51, by: &ceiling))
    // It had not grown too far, whatever is refused later.
    ceiling.noteAccepted(101)
    ceiling.noteTooLarge(200)
    counts.append(accepted(51, by: &ceiling))
    #expect(counts == [32, 64, 32])
  }

  @Test
  func `RequestCeiling counts only requests above half its size, and a 413 resets the count`() {
    var ceiling = RequestCeiling()
    ceiling.noteTooLarge(200)
    var counts = [accepted(50, by: &ceiling)]
    for _ in 0..<31 { ceiling.noteAccepted(51) }
    ceiling.noteTooLarge(200)
    counts.append(accepted(51, by: &ceiling))
    #expect(counts == [0, 32])
  }

  @Test func `RequestCeiling is at least one byte and grows without overflow`() {
    var ceiling = RequestCeiling()
    for size in [0, 1, 2, 3] {
      ceiling.noteTooLarge(size)
      #expect(ceiling.bytes == 1, "\(size)")
    }
    ceiling.noteTooLarge(4)
    #expect(ceiling.bytes == 2)
    ceiling.noteTooLarge(.max)
    #expect(ceiling.bytes == .max / 2)
    #expect(accepted(.max, by: &ceiling) == 32 && ceiling.bytes == .max - 1)
    #expect(accepted(.max, by: &ceiling) == 32 && ceiling.bytes == .max)
    #expect(accepted(.max, by: &ceiling) == 0)
  }
}
