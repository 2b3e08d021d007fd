// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

/// A pipe of the system: what is written at one end is read at the other.
final class SystemPipe: Sendable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError(number: errno) }
    reading = FileDescriptor(number: ends[0])
    writing = FileDescriptor(number: ends[1])
  }

  /// Makes a write fail where it would wait.
  func makeNonblocking() {
    _ = fcntl(writing.number, F_SETFL, fcntl(writing.number, F_GETFL) | O_NONBLOCK)
  }
}

extension FileDescriptor {
  /// Writes all the bytes to a file, or to a pipe with room for them.
  func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    if let error = write(bytes).error { throw error }
  }

  /// Reads what is there, up to so many bytes; waits if there is nothing, but not for ever.
  func read(upTo count: Int) -> Data {
    var wait = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 300_000) > 0 else {
      Issue.record("nothing to read within five minutes")
      return Data()
    }
    var bytes = [UInt8](repeating: 0, count: count)
    return Data(bytes[..<max(Foundation.read(number, &bytes, count), 0)])
  }

  /// Reads on until `all` has at least so many bytes.
  func read(_ count: Int, into all: inout Data) throws {
    while all.count < count {
      let part = read(upTo: 65_536)
      try #require(!part.isEmpty, "the end after \(all.count) of \(count) bytes")
      all.append(part)
    }
  }

  /// Reads to the end, which comes when nobody has the other end open.
  func readToEnd() -> Data {
    var all = Data()
    while case let part = read(upTo: 65_536), !part.isEmpty { all.append(part) }
    return all
  }
}

/// A terminal, as a program finds one on the other side of `ssh`.
struct Terminal {
  /// What the user sees.
  let screen: FileDescriptor
  /// Where the program writes.
  let program: FileDescriptor

  /// What the user sees, up to the end of a line: the system hands on text and end in parts.
  func line() -> String {
    var line = Data()
    while !line.contains(0x0A), case let part = screen.read(upTo: 1_000), !part.isEmpty {
      line += part
    }
    return String(decoding: line, as: UTF8.self)
  }

  init() throws {
    #if os(Linux)
      // posix_openpt and its kin by hand: the C library's module does not declare them.
      let number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var isLocked: CInt = 0
      var index: CInt = 0
      let setLock: UInt = 0x4004_5431
      let getIndex: UInt = 0x8004_5430
      guard number >= 0, ioctl(number, setLock, &isLocked) == 0,
        ioctl(number, getIndex, &index) == 0
      else { throw SystemError(number: errno) }
      let name = "/dev/pts/\(index)"
    #else
      let number = posix_openpt(O_RDWR | O_NOCTTY)
      guard number >= 0, grantpt(number) == 0, unlockpt(number) == 0,
        let name = ptsname(number).map({ String(cString: $0) })
      else { throw SystemError(number: errno) }
    #endif
    screen = FileDescriptor(number: number)
    program = FileDescriptor(number: open(name, O_RDWR | O_NOCTTY))
  }

  func close() {
    program.close()
    screen.close()
  }
}
