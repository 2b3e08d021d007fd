// SPDX-License-Identifier: Apache-2.0

/// The order in which dated archives were made, if their names do not show it because a clock was
/// wrong.
///
/// Stored in a hidden file, which exists only in that case. Its first line identifies the format;
/// each further line is the name of an archive, the oldest first.
struct RotationOrder: Sendable {
  let path: String

  private static let beginning = "ambient-order 1"
  /// The maximum size of the list in bytes, enough for some 100,000 names.
  private static let limit = 4 << 20

  /// Sorts the archives, given in the order of their names, into the order in which they were made.
  ///
  /// The stored list lacks archives that another program made or restored. Such an archive is
  /// inserted before the first archive that follows it in the order of names.
  func sort(_ files: [RotatedFile]) throws(RotationFailure) -> [RotatedFile] {
    guard let listed = try read() else { return files }
    var rest = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
    var sorted = listed.compactMap { rest.removeValue(forKey: $0) }
    for file in files where rest[file.name] != nil {
      sorted.insert(file, at: sorted.firstIndex { file < $0 } ?? sorted.endIndex)
    }
    return sorted
  }

  /// Writes the list of archives: `files`, in the order in which they were made, and then `file`,
  /// the latest. If the names alone show that order, removes the list instead.
  func note(_ file: RotatedFile, after files: [RotatedFile], mode: UInt16) throws(RotationFailure) {
    let all = files + [file]
    let failure = RotationFailure.cannot("write", path)
    guard zip(all, all.dropFirst()).contains(where: { $1 < $0 }) else {
      return try attempt(FileSystem.remove(path), or: failure)
    }
    let text = ([Self.beginning] + all.map(\.name)).map { "\($0)\n" }.joined()
    try attempt(
      FileSystem.replace(path, by: text, permissions: mode, isDurable: false), or: failure)
  }

  /// Reads the names in the list, the oldest first. Returns nil if there is no list.
  private func read() throws(RotationFailure) -> [String]? {
    let text = try attempt(
      FileSystem.text(path, limit: Self.limit), or: RotationFailure.cannot("read", path))
    guard let text else { return nil }
    let lines = text.split(separator: "\n")
    return lines.first == Self.beginning[...] ? lines.dropFirst().map(String.init) : nil
  }
}
