// SPDX-License-Identifier: Apache-2.0

/// Finds the valid word nearest to a mistyped word.
package enum NearestWord {
  /// Returns the word most similar to `text`, if at most a third of the longer word's letters
  /// differ, or at most one letter if both words have fewer than three letters.
  ///
  /// Case does not matter. The search takes time in proportion to the letters of all words. To
  /// bound that time, the result is nil for a text of more than 64 letters.
  package static func find(for text: String, in words: some Sequence<String>) -> String? {
    let letters = Array(text.lowercased())
    guard (1...64).contains(letters.count) else { return nil }
    var best: (word: String, distance: Int)?
    for word in words {
      let distance = distance(letters, Array(word.lowercased()))
      guard distance <= max(letters.count, word.count, 3) / 3 else { continue }
      if distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  /// The edit distance: the number of letters to insert, remove, replace, or swap with a neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var cost = min(
          previous[column] + (same ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
