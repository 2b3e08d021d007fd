import Foundation
import TestSupport
import Testing

@testable import Ambient

/// What may stand where a small file of ours is to be.
enum Obstacle: String, CaseIterable {
  case hardLink, link, pipe, folder

  private static let victim = "victim.txt"
  private static let text = "of another program\n"

  func place(at path: String, in folder: TemporaryFolder) throws {
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

  /// Checks that it still stands there, and that no other file was written to or had its
  /// permissions changed.
  func expectUntouched(at path: String, in folder: TemporaryFolder) throws {
    try expectVictimUntouched(in: folder)
    var status = stat()
    try #require(lstat(path, &status) == 0)
    let kinds: [Obstacle: mode_t] = [
      .hardLink: S_IFREG, .link: S_IFLNK, .pipe: S_IFIFO, .folder: S_IFDIR,
    ]
    #expect(status.st_mode & S_IFMT == kinds[self])
  }

  func expectVictimUntouched(in folder: TemporaryFolder) throws {
    #expect(try folder.text(Self.victim) == Self.text)
    var status = stat()
    try #require(stat(folder.path(Self.victim), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644)
  }
}

/// What was reported, by kind.
final class Reports: Sendable {
  private let kept = Guarded<[Diagnostic]>([])

  var all: [Diagnostic] { kept.withLock { $0 } }

  func add(_ report: Diagnostic) { kept.withLock { $0.append(report) } }
}
