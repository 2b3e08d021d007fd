// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Pipe sharing between writers` {
  @Test func `writers of one pipe share a StreamTurns object until the last of them releases it`()
    throws
  {
    let pipe = try SystemPipe()
    let first = StreamTurns.take(for: pipe.writing.identity)
    let second = StreamTurns.take(for: FileDescriptor(number: dup(pipe.writing.number)).identity)
    #expect(first === second)
    first.giveBack()
    let third = StreamTurns.take(for: pipe.writing.identity)
    #expect(third === second)
    second.giveBack()
    third.giveBack()
    let other = try SystemPipe()
    let one = StreamTurns.take(for: pipe.writing.identity)
    let another = StreamTurns.take(for: other.writing.identity)
    #expect(one !== another && one !== first)
    one.giveBack()
    another.giveBack()
  }

  @Test
  func `if a second log left an incomplete line in a shared pipe, a log first ends that line`()
    throws
  {
    let pipe = try SystemPipe()
    try Diagnostics.withInstance(.calling { _ in }) {
      let logs = (0..<2).map { _ in StdoutLog(pipe.writing, patience: .milliseconds(20)) }
      logs[0].info("\(String(repeating: "x", count: 1 << 20))")
      #expect(logs.map(\.lostRecords) == [1, 0])
      var torn = Data()
      try pipe.reading.read(65_536, into: &torn)
      logs[1].info("whole")
      logs[0].info("whole, too")
      let rest = String(decoding: pipe.reading.read(upTo: 1_000), as: UTF8.self)
      let lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
      try #require(lines.count == 4)
      #expect(lines[0].isEmpty && lines[3].isEmpty)
      #expect(lines[1].hasSuffix(" info     whole") && lines[2].hasSuffix(" info     whole, too"))
    }
    pipe.writing.close()
    pipe.reading.close()
  }

  #if os(Linux)
    @Test func `writers without a shared lock don't block forever on a full pipe`()
      throws
    {
      let pipe = try SystemPipe()
      // F_SETPIPE_SZ, which Swift does not import: a page, which has room for one line if it is of
      // 4 KiB.
      try #require(fcntl(pipe.writing.number, 1_031, 4_096) >= 4_096)
      let line = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000)
      let reads = Atomic<Int>(0)
      let writers = DispatchGroup()
      // Each stands for a process of its own: they share no lock.
      for _ in 0..<4 {
        writers.enter()
        Thread.detachNewThread {
          line.withUnsafeBytes { line in
            while reads.load(ordering: .relaxed) < 2_000 {
              _ = pipe.writing.write(line, patience: 1, isPrompt: true)
            }
          }
          writers.leave()
        }
      }
      while reads.load(ordering: .relaxed) < 2_000 {
        _ = pipe.reading.read(upTo: 3_000)
        reads.add(1, ordering: .relaxed)
      }
      // From here on, nothing is read.
      #expect(writers.wait(timeout: .now() + 60) == .success)
      // Frees those that wait after all, so that the process can end.
      while writers.wait(timeout: .now()) != .success { _ = pipe.reading.read(upTo: 4_096) }
      pipe.reading.close()
      pipe.writing.close()
    }
  #endif

  @Test func `a log drops its lines if a second log has already found their shared pipe stalled`()
    throws
  {
    let pipe = try SystemPipe()
    Diagnostics.withInstance(.calling { _ in }) {
      let logs = (0..<2).map { _ in StdoutLog(pipe.writing) }
      for _ in 0..<200 { logs[0].info("\(String(repeating: "x", count: 1_000))") }
      let stream = StreamTurns.take(for: pipe.writing.identity)
      let isStalled = stream.isStalled.load(ordering: .relaxed)
      #expect(isStalled)
      for _ in 0..<100 { logs[1].info("\(String(repeating: "x", count: 1_000))") }
      #expect(logs[1].lostRecords == 100)
      stream.giveBack()
    }
    pipe.writing.close()
    pipe.reading.close()
  }
}
