// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// Something at the path where Ambient wants to make a small file.
package enum Obstacle: String, CaseIterable, Sendable {
  case hardLink, link, pipe, folder

  private static let victim = "victim.txt"
  private static let text = "of another program\n"

  package func place(at path: String, in folder: TemporaryFolder) throws {
    try folder.write(Self.text, to: Self.victim)
    let victim = folder.path(Self.victim)
    switch self {
    case .hardLink: try FileManager.default.linkItem(atPath: victim, toPath: path)
    case .link:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
    case .pipe: try #require(mkfifo(path, 0o600) == 0)
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    chmod(victim, 0o644)
  }

  /// Checks that the obstacle is still there, and that the file it may link to has the same content
  /// and permissions as before.
  package func expectUntouched(at path: String, in folder: TemporaryFolder) throws {
    try expectVictimUntouched(in: folder)
    var status = stat()
    try #require(lstat(path, &status) == 0)
    let kinds: [Obstacle: mode_t] = [
      .hardLink: S_IFREG, .link: S_IFLNK, .pipe: S_IFIFO, .folder: S_IFDIR,
    ]
    #expect(status.st_mode & S_IFMT == kinds[self])
  }

  package func expectVictimUntouched(in folder: TemporaryFolder) throws {
    #expect(try folder.text(Self.victim) == Self.text)
    var status = stat()
    try #require(stat(folder.path(Self.victim), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644)
  }
}
