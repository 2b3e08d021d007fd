// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `File locks` {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("lock") }

    /// The lock, which nobody has.
    private func taken() throws -> FileLock {
      guard let lock = try FileLock.take(path, mode: 0o600) else {
        throw SystemError(number: EWOULDBLOCK)
      }
      return lock
    }

    /// How many descriptors of this process are open on the lock's file.
    private func descriptors() throws -> Int {
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
        let file = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return file == FileSystem.resolved(path)
      }
    }

    @Test func `releasing a FileLock or failing to take one leaves no descriptor open`() throws {
      let lock = try taken()
      #expect(try descriptors() == 1)
      let isTaken = try FileLock.take(path, mode: 0o600) != nil
      #expect(!isTaken)
      #expect(try descriptors() == 1)
      lock.release()
      #expect(try descriptors() == 0)
    }

    @Test
    func `a released FileLock can be taken again even while a copy of its descriptor is open`()
      throws
    {
      let lock = try taken()
      let copy = FileDescriptor(number: fcntl(lock.file.number, F_DUPFD_CLOEXEC, 0))
      defer { copy.close() }
      let isHeld = try FileLock.take(path, mode: 0o600, patience: .zero) == nil
      #expect(isHeld)
      lock.release()
      let isTaken = try FileLock.take(path, mode: 0o600, patience: .seconds(300)) != nil
      #expect(isTaken)
    }

    @Test func `taking a held FileLock waits until its holder releases it`() throws {
      let lock = try taken()
      let isTaken = Guarded<Bool?>(nil)
      Thread.detachNewThread { [path] in
        let isOurs = try? FileLock.take(path, patience: Patience.long) != nil
        isTaken.withLock { $0 = isOurs ?? false }
      }
      usleep(5_000)
      #expect(isTaken.withLock { $0 } == nil)
      lock.release()
      #expect(Patience.wait { isTaken.withLock { $0 } == true })
    }

    @Test func `taking a FileLock creates the lock file only if permissions are given`() throws {
      #expect(throws: SystemError(number: ENOENT)) {
        let isTaken = try FileLock.take(path) != nil
        #expect(!isTaken)
      }
      for _ in 1...2 {
        let isTaken = try FileLock.take(path, mode: 0o660) != nil
        #expect(isTaken)
        #expect(try FileStatus(at: path).permissions == 0o660)
        try #require(chmod(path, 0o600) == 0)
      }
      let isTaken = try FileLock.take(path) != nil
      #expect(isTaken)
      #expect(try FileStatus(at: path).permissions == 0o600)
    }

    @Test(arguments: [(0o644, 0o600), (0o664, 0o660), (0o666, 0o666), (0o440, 0), (0o200, 0o600)])
    func `FileLock mode() gives access to the lock only to users who may write the locked file`(
      permissions: UInt16, mode: UInt16
    ) {
      #expect(FileLock.mode(for: permissions) == mode)
    }

    @Test
    func `FileLock replace() overwrites the file's whole text, and text() reads up to a limit`()
      throws
    {
      let lock = try taken()
      #expect(lock.text(limit: 10) == nil)
      lock.replace(by: "a longer text")
      lock.replace(by: "text")
      #expect(lock.text(limit: 10) == "text")
      #expect(lock.text(limit: 4) == "text")
      #expect(lock.text(limit: 3) == "tex")
      try lock.file.write([0xFF], at: 0)
      #expect(lock.text(limit: 10) == nil)
      lock.replace(by: "")
      #expect(lock.file.size == 0)
      lock.release()
    }
  }
#endif
