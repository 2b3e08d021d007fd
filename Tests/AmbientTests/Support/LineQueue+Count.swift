// SPDX-License-Identifier: Apache-2.0

@testable import Ambient

extension LineQueue {
  /// The number of intact waiting lines.
  var count: Int {
    var (place, end, total) = (ring.start, ring.end, 0)
    while place < end {
      if let frame = ring.intact(at: place, until: end) {
        place &+= UInt64(frame.size)
        total += 1
      } else {
        place = ring.nextIntact(behind: place, until: end).place
      }
    }
    return total
  }
}
