// SPDX-License-Identifier: Apache-2.0

/// A record of a program that is killed. Its whole text follows from its name, so that a test can
/// detect damage.
package enum KilledRecord {
  package static func text(_ id: String, _ thread: Int, _ number: Int) -> String {
    let name = "\(id).\(thread).\(number)"
    return name + " " + String(repeating: "\(number % 10)", count: number * 37 % 301)
  }

  /// The name in the record; nil if the record is damaged.
  package static func name(in text: String) -> String? {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: ".")
    guard words.count == 3, let thread = Int(words[1]), let number = Int(words[2]),
      self.text(String(words[0]), thread, number) == text
    else { return nil }
    return String(parts[0])
  }
}
