#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `A lock on a file` {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("lock") }

    /// How many descriptors of this process are open on the lock's file.
    private func descriptors() throws -> Int {
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
        let file = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return file == FileSystem.resolved(path)
      }
    }

    @Test func `leaves no descriptor once it is given up, nor where another has it`() throws {
      guard let lock = try FileLock.take(path, mode: 0o600) else {
        Issue.record("it is held")
        return
      }
      #expect(try descriptors() == 1)
      let isTaken = try FileLock.take(path, mode: 0o600) != nil
      #expect(!isTaken)
      #expect(try descriptors() == 1)
      lock.release()
      #expect(try descriptors() == 0)
    }
  }
#endif
