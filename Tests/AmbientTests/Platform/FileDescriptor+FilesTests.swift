// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `FileDescriptor file operations` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("file") }
  private static let closed = FileDescriptor(number: -1)

  private func permissions(_ file: FileDescriptor) -> mode_t? {
    file.status.map { $0.st_mode & 0o777 }
  }

  private func access(_ file: FileDescriptor) -> CInt { fcntl(file.number, F_GETFL) & O_ACCMODE }

  @Test func `FileDescriptor appending() opens files for reading and writing, pipes for writing`()
    throws
  {
    for _ in 1...2 {
      let file = try FileDescriptor.appending(to: path)
      #expect(access(file) == O_RDWR)
      file.close()
    }
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let pipe = try FileDescriptor.appending(to: folder.path("pipe"))
    #expect(access(pipe) == O_WRONLY && fcntl(pipe.number, F_GETFL) & O_NONBLOCK != 0)
    pipe.close()
    close(reader)
    #expect(throws: SystemError(number: ENXIO)) {
      try FileDescriptor.appending(to: folder.path("pipe"))
    }
    #expect(throws: SystemError(number: ENOENT)) {
      try FileDescriptor.appending(to: folder.path("none/file"), permissions: 0o600)
    }
  }

  @Test(arguments: [0o666, 0o600] as [UInt16])
  func `FileDescriptor sets the given permissions on a new file, but not on an existing one`(
    _ given: UInt16
  ) throws {
    let files = [
      try FileDescriptor.appending(to: path, permissions: given),
      try FileDescriptor.made(folder.path("made"), permissions: given),
    ]
    for file in files {
      #expect(permissions(file) == mode_t(given))
      file.close()
    }
    try #require(chmod(path, 0o640) == 0 && chmod(folder.path("made"), 0o640) == 0)
    let again = [
      try FileDescriptor.appending(to: path, permissions: given),
      try FileDescriptor.made(folder.path("made"), permissions: given),
      try FileDescriptor.existing(path, toWrite: true),
    ]
    for file in again {
      #expect(permissions(file) == 0o640)
      #expect(access(file) == O_RDWR)
      file.close()
    }
    let file = try FileDescriptor.existing(path, toWrite: false)
    #expect(access(file) == O_RDONLY)
    file.close()
  }

  @Test func `FileDescriptor new() throws if the file already exists`() throws {
    let file = try FileDescriptor.new(path)
    #expect(permissions(file) == 0o600)
    file.close()
    #expect(throws: SystemError.inTheWay) { try FileDescriptor.new(path) }
  }

  @Test func `FileDescriptor returns the size and position of a file, but no position for a pipe`()
    throws
  {
    let file = try FileDescriptor.new(path)
    #expect(file.size == 0 && file.position == 0)
    try #require(Foundation.write(file.number, "abc", 3) == 3)
    #expect(file.size == 3 && file.position == 3)
    #expect(try file.checkedSize == 3)
    let pipe = try SystemPipe()
    #expect(pipe.reading.position == nil)
    for end in [file, pipe.reading, pipe.writing] { end.close() }
    #expect(Self.closed.size == nil && Self.closed.position == nil)
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.checkedSize }
  }

  @Test func `FileDescriptor endsLine is true at a file's start and after a newline`() throws {
    try folder.write("a\nb", to: "file")
    let file = try FileDescriptor.existing(path, toWrite: false)
    #expect((0...4).map { file.endsLine(at: $0) } == [true, false, true, false, nil])
    file.close()
    #expect(Self.closed.endsLine(at: 1) == nil)
  }

  @Test func `FileDescriptor isRemoved is true once the file's last hard link is removed`() throws {
    let file = try FileDescriptor.new(path)
    let link = folder.path("link")
    #expect(!file.isRemoved && file.isOursAlone)
    try FileManager.default.linkItem(atPath: path, toPath: link)
    try FileManager.default.removeItem(atPath: path)
    #expect(!file.isRemoved && file.isOursAlone)
    try FileManager.default.removeItem(atPath: link)
    #expect(file.isRemoved && file.isOursAlone)
    file.close()
    #expect(Self.closed.isRemoved && !Self.closed.isOursAlone)
  }

  @Test func `FileDescriptor isOursAlone is false for a pipe or a file with a second hard link`()
    throws
  {
    let file = try FileDescriptor.new(path)
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("link"))
    let pipe = try SystemPipe()
    #expect(!file.isOursAlone && !pipe.reading.isOursAlone)
    for end in [file, pipe.reading, pipe.writing] { end.close() }
  }

  @Test(.enabled("only root gives files away") { geteuid() == 0 })
  func `for another user's file, isOursAlone is false and setPermissions() changes nothing`() throws
  {
    let file = try FileDescriptor.new(path)
    file.setPermissions(0o640)
    #expect(permissions(file) == 0o640)
    try #require(chown(path, 65_534, 65_534) == 0)
    #expect(!file.isOursAlone)
    file.setPermissions(0o600)
    #expect(permissions(file) == 0o640)
    file.close()
  }

  @Test func `FileDescriptor lock() returns false while another descriptor holds the file's lock`()
    throws
  {
    let file = try FileDescriptor.new(path)
    let other = try FileDescriptor.existing(path, toWrite: true)
    #expect(try file.lock())
    #expect(try file.lock(), "it has the lock")
    #expect(try !other.lock())
    file.unlock()
    #expect(try other.lock())
    for file in [file, other] { file.close() }
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.lock() }
  }

  @Test
  func `FileDescriptor read() and write() use the given offset, reads stop at the file's end`()
    throws
  {
    let file = try FileDescriptor.new(path)
    try file.write(Array("0123456789".utf8), at: 0)
    try file.write(Array("ab".utf8), at: 4)
    try file.write([], at: 4)
    #expect(try file.read(10, at: 0) == Array("0123ab6789".utf8))
    #expect(try file.read(3, at: 4) == Array("ab6".utf8))
    #expect(try file.read(10, at: 8) == Array("89".utf8))
    #expect(try file.read(0, at: 4).isEmpty && file.read(10, at: 10).isEmpty)
    file.truncate(to: 5)
    #expect(try folder.text("file") == "0123a")
    try file.synchronize()
    try file.allocate(4_096)
    #expect(file.size == 4_096)
    file.close()
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.read(1, at: 0) }
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.write([1], at: 0) }
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.synchronize() }
    #expect(throws: SystemError(number: EBADF)) { try Self.closed.allocate(1) }
  }

  @Test func `a write across the file size limit writes up to the limit and throws EFBIG`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let file = try FileDescriptor.new(folder.path("file"))
      WriteSignals.surviveSizeLimit()
      precondition(ResourceLimit.fileSize.set(10, most: 1 << 30))
      #expect(throws: SystemError(number: EFBIG)) {
        try file.write(Array("0123456789".utf8), at: 4)
      }
      ResourceLimit.fileSize.set(1 << 30)
      #expect(try folder.text("file") == "\0\0\0\0" + "012345")
    }
  }
}

@Suite struct `Lock files` {
  private let folder = TemporaryFolder()

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status
  }

  @Test(arguments: [(0o644, 0o600), (0o664, 0o660), (0o666, 0o666), (0o600, 0o600)])
  func `a lock file can be opened only by users who may write the file that it guards`(
    permissions: Int, expected: Int
  ) throws {
    try folder.write("", to: "file")
    try #require(chmod(folder.path("file"), mode_t(permissions)) == 0)
    let lock = folder.path("lock")
    // The first makes it, the second finds it, with permissions that somebody has changed.
    for _ in 1...2 {
      let mode = FileLock.mode(for: UInt16(permissions))
      let file = try FileDescriptor.lockFile(lock, mode: mode)
      #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDWR)
      file.close()
      #expect(try self.status(lock).st_mode & 0o777 == mode_t(expected))
      try #require(chmod(lock, 0o777) == 0)
    }
  }

  @Test(.enabled("only root gives files away") { geteuid() == 0 })
  func `a lock file gets its log's owner and group, or only the group if chown isn't allowed`()
    async throws
  {
    try folder.write("", to: "file")
    try #require(chown(folder.path("file"), 1_234, 5_678) == 0)
    let file = try status(folder.path("file"))
    let made = try FileDescriptor.lockFile(folder.path("lock"), mode: 0o600)
    made.setOwner(like: file)
    made.close()
    let lock = try status(folder.path("lock"))
    #expect(lock.st_uid == 1_234 && lock.st_gid == 5_678)
    // Another user of the group may give the group, but not the owner.
    try #require(chmod(folder.path, 0o777) == 0)
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      var groups: [gid_t] = [5_678]
      precondition(setgroups(1, &groups) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
      var file = stat()
      precondition(stat("\(folder)/file", &file) == 0)
      let made = try FileDescriptor.lockFile("\(folder)/other", mode: 0o600)
      made.setOwner(like: file)
      made.close()
      precondition(stat("\(folder)/other", &file) == 0)
      precondition(file.st_uid == 65_534 && file.st_gid == 5_678, "\(file.st_gid)")
    }
  }

  @Test(arguments: Obstacle.allCases)
  func `FileDescriptor lockFile() throws for a link, pipe or folder and leaves it untouched`(
    _ obstacle: Obstacle
  ) throws {
    try folder.write("", to: "file")
    let lock = folder.path("lock")
    try obstacle.place(at: lock, in: folder)
    #expect(throws: SystemError.self) { try FileDescriptor.lockFile(lock, mode: 0o600) }
    try obstacle.expectUntouched(at: lock, in: folder)
  }

  @Test(.enabled("root may read all") { geteuid() == 0 })
  func `FileDescriptor appending() opens a file that this user may write but not read`()
    async throws
  {
    try folder.write("", to: "log")
    try #require(chmod(folder.path("log"), 0o222) == 0 && chmod(folder.path, 0o777) == 0)
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      precondition(setgid(65_534) == 0 && setuid(65_534) == 0)
      let log = try FileDescriptor.appending(to: "\(folder)/log", permissions: 0o600)
      #expect(fcntl(log.number, F_GETFL) & O_ACCMODE == O_WRONLY)
    }
  }
}
