// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Pipe writes` {
  /// A pipe, whose ends are closed with it.
  private final class Ends {
    let pipe: SystemPipe
    init() throws { pipe = try SystemPipe() }
    deinit {
      pipe.reading.close()
      pipe.writing.close()
    }
  }

  private func write(
    _ count: Int, to file: FileDescriptor, patience: CInt, isPrompt: Bool = false
  ) -> (count: Int, error: SystemError?) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
    return bytes.withUnsafeBytes { file.write($0, patience: patience, isPrompt: isPrompt) }
  }

  @Test(arguments: [false, true])
  func `a write that fills a pipe times out and returns the number of bytes written`(isPrompt: Bool)
    throws
  {
    let ends = try Ends()
    if !isPrompt { ends.pipe.makeNonblocking() }
    let file = ends.pipe.writing
    let first = write(1 << 21, to: file, patience: 1, isPrompt: isPrompt)
    #expect(first.error == .full)
    #expect(first.count > 0 && first.count < 1 << 21)
    let second = write(4_096, to: file, patience: 1, isPrompt: isPrompt)
    #expect(second.count == 0 && second.error == .full)
    let bytes = ends.pipe.reading.read(upTo: 1 << 21)
    #expect(bytes.count == first.count)
    #expect(bytes == Data((0..<bytes.count).map { UInt8(truncatingIfNeeded: $0 % 251) }))
  }

  @Test func `with a zero timeout, a write to a full pipe fails at once`() throws {
    let ends = try Ends()
    ends.pipe.makeNonblocking()
    let file = ends.pipe.writing
    _ = write(1 << 21, to: file, patience: 1)
    let failure = Guarded<SystemError?>(nil)
    Thread.detachNewThread {
      let error = [UInt8](repeating: 1, count: 8_192).withUnsafeBytes {
        file.write($0, patience: 0).error
      }
      failure.withLock { $0 = error }
    }
    #expect(Patience.wait { failure.withLock { $0 } == .full })
  }

  @Test(arguments: [(300_000, false), (300_000, true)] as [(CInt, Bool)])
  func `a write larger than a pipe's capacity waits for the reader and delivers all bytes`(
    patience: CInt, isPrompt: Bool
  ) throws {
    let pipe = try SystemPipe()
    if !isPrompt { pipe.makeNonblocking() }
    let all = Guarded<Data?>(nil)
    Thread.detachNewThread {
      let bytes = pipe.reading.readToEnd()
      all.withLock { $0 = bytes }
    }
    let count = 300_001
    let result = write(count, to: pipe.writing, patience: patience, isPrompt: isPrompt)
    #expect(result.count == count && result.error == nil)
    pipe.writing.close()
    #expect(Patience.wait { all.withLock { $0 != nil } })
    let expected = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) })
    #expect(all.withLock { $0 } == expected)
    pipe.reading.close()
  }

  @Test func `a write to a closed descriptor fails, and an empty write to an open pipe succeeds`()
    throws
  {
    let closed = FileDescriptor(number: -1)
    #expect(write(3, to: closed, patience: 1).count == 0)
    #expect(write(3, to: closed, patience: 1).error == SystemError(number: EBADF))
    let ends = try Ends()
    let result = write(0, to: ends.pipe.writing, patience: 0)
    #expect(result.count == 0 && result.error == nil)
    let bytes: [UInt8] = [1, 2, 3]
    try bytes.withUnsafeBytes { try ends.pipe.writing.writeAll($0) }
    #expect(ends.pipe.reading.read(upTo: 10) == Data(bytes))
    #expect(throws: SystemError(number: EBADF)) {
      try bytes.withUnsafeBytes { try closed.writeAll($0) }
    }
  }

  @Test func `FileDescriptor standardOutput has the number 1, and standardError has the number 2`()
  {
    #expect(FileDescriptor.standardOutput.number == 1)
    #expect(FileDescriptor.standardError.number == 2)
    #expect(FileDescriptor(number: -1).reopenedToWriteAtOnce() == nil)
  }
}
