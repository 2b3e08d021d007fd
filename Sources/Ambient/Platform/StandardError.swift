// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Standard error, for reports that must be seen when all else fails.
package enum StandardError {
  private static let stream = LineStream(.standardError)
  private static let dropped = Atomic<Int>(0)

  /// Writes the text, which ends with a newline, as ``LineStream`` writes a line.
  ///
  /// A text that does not fit is dropped. Its failure can be reported nowhere else, so the next
  /// text that fits begins with the number of those before it.
  package static func write(_ text: String) {
    var text = text
    let before = dropped.exchange(0, ordering: .relaxed)
    if before > 0 {
      text = self.text(ofDropped: before) + text
    }
    if text.withUTF8({ stream.write(UnsafeRawBufferPointer($0)) }) != nil {
      dropped.add(before + 1, ordering: .relaxed)
    }
  }

  static func text(ofDropped count: Int) -> String {
    "Ambient: earlier messages lost on standard error: \(count).\n"
  }
}
