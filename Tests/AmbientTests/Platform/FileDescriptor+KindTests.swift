// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Kinds of open files` {
  private let folder = TemporaryFolder()

  @Test func `FileDescriptor kind distinguishes files, pipes and terminals`() throws {
    let file = try FileDescriptor.new(folder.path("file"))
    let device = FileDescriptor(number: open("/dev/null", O_RDWR | O_CLOEXEC))
    let pipe = try SystemPipe()
    var sockets: [CInt] = [0, 0]
    #if canImport(Glibc)
      let stream = CInt(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    try #require(socketpair(AF_UNIX, stream, 0, &sockets) == 0)
    let terminal = try Terminal()
    let all = [file, device, pipe.reading, pipe.writing, FileDescriptor(number: sockets[0])]
    #expect(all.map(\.kind) == [.file, .file, .pipe, .pipe, .pipe])
    #expect(all.map(\.isRegular) == [true, false, false, false, false])
    #expect(terminal.program.kind == .terminal)
    #expect(FileDescriptor(number: -1).kind == .file)
    #expect(!FileDescriptor(number: -1).isRegular)
    terminal.close()
    for end in all + [FileDescriptor(number: sockets[1])] { end.close() }
  }

  @Test func `FileDescriptor identity is the same for two hard links of one file`() throws {
    let (path, other) = (folder.path("file"), folder.path("other"))
    let file = try FileDescriptor.new(path)
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("link"))
    let again = try FileDescriptor.existing(folder.path("link"), toWrite: false)
    let another = try FileDescriptor.new(other)
    #expect(file.identity != nil && file.identity == again.identity)
    #expect(file.identity != another.identity)
    #expect(FileDescriptor.identity(at: path) == file.identity)
    #expect(FileDescriptor.identity(at: folder.path("none")) == nil)
    #expect(FileDescriptor(number: -1).identity == nil)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(file.identity?.file == UInt64(status.st_ino))
    #expect(file.identity?.device == UInt64(truncatingIfNeeded: status.st_dev))
    for file in [file, again, another] { file.close() }
  }
}
