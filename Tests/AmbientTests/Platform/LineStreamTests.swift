// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Line streams` {
  /// What becomes of a line of so many bytes.
  private func write(_ count: Int, _ writer: LineStream) -> SystemError? {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: count - 1) + [UInt8(ascii: "\n")]
    return line.withUnsafeBytes { writer.write($0) }
  }

  @Test(arguments: [false, true])
  func `a LineStream waits only once for a stalled reader, not again for each line`(
    _ isNonblocking: Bool
  ) throws {
    let pipe = try SystemPipe()
    if isNonblocking { pipe.makeNonblocking() }
    let writer = LineStream(pipe.writing, patience: .milliseconds(3))
    #expect(writer.patience == 3 && writer.reader == .other)
    let state = StreamTurns.take(for: pipe.writing.identity)
    defer { state.giveBack() }
    func flags() -> [Bool] {
      return [state.isStalled.load(ordering: .relaxed), state.isTorn.load(ordering: .relaxed)]
    }
    #expect(flags() == [false, false])
    var written = 0
    while written < 1_000, write(1_000, writer) == nil { written += 1 }
    try #require((1..<1_000).contains(written))
    #expect(flags()[0])
    #expect(write(1_000, writer) == .full && flags()[0])
    var read = Data()
    try pipe.reading.read(written * 1_000, into: &read)
    #expect(write(10, writer) == nil)
    #expect(flags() == [false, false])
    #expect(write(10, writer) == nil)
    read.append(pipe.reading.read(upTo: 65_536))
    // Of a line of more than a pipe holds, a part stays there.
    #expect(write(1 << 20, writer) == .full && flags() == [true, true])
    let part = pipe.reading.read(upTo: 1 << 20)
    #expect(part.allSatisfy { $0 == UInt8(ascii: "x") })
    #expect(write(5, writer) == nil && flags() == [false, false])
    #expect(pipe.reading.read(upTo: 100) == Data("\nxxxx\n".utf8))
    let lines = read.split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(lines.suffix(3).map(\.count) == [9, 9, 0])
    #expect(lines.prefix(written).allSatisfy { $0.count == 999 })
    pipe.writing.close()
    // The end, which comes when nobody has the other end open.
    #expect(pipe.reading.readToEnd().isEmpty)
    pipe.reading.close()
  }

  @Test func `the report of a dropped line states how long the reader stalled`() throws {
    let pipe = try SystemPipe()
    let reports = Reports()
    Diagnostics.withInstance(reports) {
      let log = StdoutLog(pipe.writing, patience: .milliseconds(2))
      for _ in 0..<100 where log.lostRecords == 0 {
        log.info("\(String(repeating: "x", count: 10_000))")
      }
      #expect(log.lostRecords == 1)
    }
    #expect(
      reports.all.map(\.message) == [
        Failures.text(ofLoss: .full, full: LineStream.text(ofWait: 2))
      ])
    pipe.writing.close()
    pipe.reading.close()
  }

  @Test func `a write to a named pipe doesn't wait forever for a stalled reader`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = FileDescriptor(number: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    let sink = try LineSink(path: path, source: "Test")
    let done = Guarded(false)
    Thread.detachNewThread {
      let line = [UInt8](repeating: 7, count: 1_000)
      Diagnostics.withInstance(.calling { _ in }) {
        for _ in 0..<200 { line.withUnsafeBytes { sink.write($0, .ordinary) } }
      }
      done.withLock { $0 = true }
    }
    #expect(Patience.wait { done.withLock { $0 } })
    #expect(sink.failures.count > 100 && sink.failures.count < 200)
    reader.close()
  }

  @Test func `a deallocated LineStream leaves the program's pipe open and closes its own copy`()
    throws
  {
    let pipe = try SystemPipe()
    for reopens in [false, true] {
      do { _ = LineStream(pipe.writing, reopensPipe: reopens) }
      #expect(fcntl(pipe.writing.number, F_GETFD) >= 0)
    }
    pipe.writing.close()
    #expect(pipe.reading.readToEnd().isEmpty)
    pipe.reading.close()
  }
}
