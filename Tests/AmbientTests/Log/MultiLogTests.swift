// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `MultiLog forwarding` {
  @Test func `the lost-record count of a MultiLog is the sum of its logs' counts`() throws {
    let pipe = try SystemPipe()
    pipe.reading.close()
    Diagnostics.withInstance(.calling { _ in }) {
      let logs = [StdoutLog(pipe.writing), StdoutLog(pipe.writing)]
      let log = MultiLog(logs[0], logs[1], LogRecorder())
      log.info("lost twice")
      #expect(log.lostRecords == 2 && logs[0].lostRecords == 1)
    }
    #expect(LogRecorder().lostRecords == 0)
    pipe.writing.close()
  }

  @Test func `MultiLog passes a record only to logs that accept the record's level`() {
    let all = LogRecorder()
    let errors = LogRecorder(level: .error)
    let log = MultiLog(all, errors, NoLog())
    log.info("a")
    log.error("b")
    #expect(all.messages == ["a", "b"])
    #expect(errors.messages == ["b"])
    #expect(all.records[1] == errors.records[0])
  }

  @Test func `MultiLog calls its logs in the order in which they are given`() {
    let told = Timeline()
    let logs = ["first", "second", "third"].map { Named($0, told) }
    for log in [MultiLog(logs[0], logs[1], logs[2]), MultiLog(logs)] {
      log.info("a")
      log.flush()
    }
    let once = [
      "first a", "second a", "third a", "first flushed", "second flushed", "third flushed",
    ]
    #expect(told.lines == once + once)
  }

  @Test func `MultiLog doesn't evaluate a message or fields that all its logs reject`() {
    let log = MultiLog(LogRecorder(level: .error), NoLog())
    log.warning("\(fail())", ["a": fail()])
    #expect(!log.accepts(.warning) && log.accepts(.error))
    #expect(!MultiLog([]).accepts(.critical))
  }

  @Test func `MultiLog can have a stricter level than its logs`() {
    let recorder = LogRecorder()
    let log = MultiLog(recorder)
    log.level = .warning
    log.info("a")
    log.warning("b")
    #expect(recorder.messages == ["b"])
  }

  @Test func `MultiLog flushes and shuts down each of its logs`() async {
    let one = Stoppable()
    let other = Stoppable()
    let log = MultiLog([one, other])
    log.flush()
    await log.shutdown(deadline: .now)
    #expect(one.calls.messages == ["flush", "shutdown"])
    #expect(other.calls.messages == ["flush", "shutdown"])
  }

  @Test func `MultiLog shuts its logs down concurrently`() async throws {
    let stopped = Stoppable(level: .info)
    let waiting = Waiting(for: stopped)
    await MultiLog(waiting, stopped).shutdown(deadline: .now + Patience.long)
    #expect(waiting.hasSeen.withLock { $0 })
  }

  @Test func `a FileLog inside a MultiLog writes the named values of a message as fields`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("shop.log")
    MultiLog(try FileLog(path: path)).info("order \(7, name: "order")")
    let line = try String(contentsOfFile: path, encoding: .utf8)
    #expect(line.hasSuffix("info     order 7 order=7\n"))
  }

  private func fail() -> String {
    Issue.record("it was evaluated")
    return ""
  }
}

private final class Stoppable: Log, @unchecked Sendable {
  let calls = LogRecorder()

  override func flush() { calls.info("flush") }

  override func shutdown(deadline: ContinuousClock.Instant) async { calls.info("shutdown") }
}

/// Tells what it is asked, with its name.
private final class Named: Log, @unchecked Sendable {
  private let name: String
  private let told: Timeline

  init(_ name: String, _ told: Timeline) {
    self.name = name
    self.told = told
    super.init(level: .info)
  }

  override func write(_ record: LogRecord) { told.note("\(name) \(record.message)") }

  override func flush() { told.note("\(name) flushed") }
}

/// Stops when another has stopped.
private final class Waiting: Log, @unchecked Sendable {
  let hasSeen = Guarded(false)
  private let other: Stoppable

  init(for other: Stoppable) {
    self.other = other
    super.init(level: .info)
  }

  override func shutdown(deadline: ContinuousClock.Instant) async {
    let isSeen = await Patience.waitIdly(deadline - .now) { other.calls.messages == ["shutdown"] }
    hasSeen.withLock { $0 = isSeen }
  }
}
