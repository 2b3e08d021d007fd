// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension TrackedEvent {
  /// Appends the line of `json` to the journal, with private values hidden.
  ///
  /// - Returns: The line's size in bytes; nil if the journal did not accept it.
  func append(to journal: Journal) -> Int? {
    LineBuffer.with { line in
      redacted.append(to: &line)
      return journal.append(line.bytes, at: date) ? line.count : nil
    }
  }
}
