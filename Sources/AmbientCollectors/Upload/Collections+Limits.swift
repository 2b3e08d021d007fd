// SPDX-License-Identifier: Apache-2.0

// Methods that limit the number of texts in a collection. The texts come from outside, for example
// as the reasons in a server's answers, so a collection without a limit could grow as long as the
// program runs.

extension Set {
  /// Inserts the element unless the set has `most` elements, and returns whether it was inserted.
  mutating func insert(_ element: Element, upTo most: Int) -> Bool {
    count < most && insert(element).inserted
  }
}

extension [String: Int] {
  /// The key by which a reason is counted: the reason, or “other reasons” if the reason is new and
  /// the dictionary has `most` reasons.
  func key(for reason: String, upTo most: Int) -> String {
    keys.contains(reason) || count < most ? reason : "other reasons"
  }
}
