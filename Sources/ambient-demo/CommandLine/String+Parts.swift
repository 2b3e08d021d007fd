// SPDX-License-Identifier: Apache-2.0

/// The parts of an argument. Scalars are compared, because a combining mark after a separator is a
/// part of the same character.
extension String {
  /// The parts before and after the first separator, or the whole text if it has no separator.
  func parts(at separator: Unicode.Scalar) -> [String] {
    unicodeScalars.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  /// The text after the prefix; nil if the text does not begin with the prefix, or has nothing
  /// after it.
  func rest(after prefix: String) -> String? {
    let rest = unicodeScalars.dropFirst(prefix.unicodeScalars.count)
    return unicodeScalars.starts(with: prefix.unicodeScalars) && !rest.isEmpty ? String(rest) : nil
  }
}
