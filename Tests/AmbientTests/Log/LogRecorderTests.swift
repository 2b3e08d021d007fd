// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z"))
struct `Recorded logs` {
  let recorder = LogRecorder()

  init() { Log.instance = recorder }

  @Test func `a log record has the call's level, message, fields and source`() throws {
    let (total, line) = (1999, #line + 1)
    Log.notice("order \(42) placed", ["total": total, "gift": true])
    let record = try #require(recorder.records.first)
    #expect(record.level == .notice)
    #expect(record.message.description == "order 42 placed")
    #expect(record.metadata == ["total": 1999, "gift": true])
    #expect(record.source.module == "AmbientTests")
    #expect(record.source.fileID == "AmbientTests/LogRecorderTests.swift")
    #expect(record.source.line == line)
    #expect(record.source.function.hasPrefix("a log record has the call's level"))
  }

  @Test func `a log record has the time that is current for the caller`() throws {
    let later = try Time.freeze(at: "2030-01-01T00:00:00Z") {
      Log.info("later")
      return Time.now
    }
    Log.info("now")
    #expect(recorder.records.map(\.date) == [later, Time.now])
  }

  @Test func `a stored log record does not change when more records are logged`() {
    for number in 0..<3 { Log.info("order \(number) placed by \("somebody")") }
    Log.info("\(String(repeating: "x", count: 10_000))")
    Log.info("short")
    #expect(
      recorder.messages == [
        "order 0 placed by somebody", "order 1 placed by somebody", "order 2 placed by somebody",
        String(repeating: "x", count: 10_000), "short",
      ])
  }

  @Test func `a log record and its fields have text descriptions`() {
    Log.info("paid", ["by": "ada l", "tags": ["a"], "total": 5, "in": ["x": 1] as AmbientFields])
    let record = recorder.records[0]
    let fields = #"by="ada l" tags=["a"] total=5 in={"x":1}"#
    #expect("\(record.metadata)" == fields)
    #expect(record.metadata["by"]?.description == #""ada l""#)
    #expect("\(record)" == "\(Time.now.iso8601(fractionDigits: 6)) info     paid \(fields)")
  }

  @Test func `each static Log method logs at its level`() {
    Log.trace("a")
    Log.debug("b")
    Log.info("c")
    Log.notice("d")
    Log.warning("e")
    Log.error("f")
    Log.critical("g")
    Log.log(.error, "h")
    #expect(recorder.records.map(\.level) == LogLevel.allCases + [.error])
    #expect(recorder.messages == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  @Test func `each Log instance method logs at its level`() {
    recorder.trace("a")
    recorder.debug("b")
    recorder.info("c")
    recorder.notice("d")
    recorder.warning("e")
    recorder.error("f")
    recorder.critical("g")
    recorder.log(.error, "h")
    #expect(recorder.records.map(\.level) == LogLevel.allCases + [.error])
  }

  @Test func `a message below the log's level is not evaluated`() {
    Log.withInstance(LogRecorder(level: .warning)) {
      Log.info("\(fail("the message was evaluated"))", ["a": fail("the metadata was evaluated")])
      #expect((Log.instance as? LogRecorder)?.records.isEmpty == true)
    }
  }

  @Test func `a log's handler receives each record at or above the log's level`() {
    Log.instance = .calling(level: .warning) { [recorder] in recorder.write($0) }
    Log.info("below")
    Log.warning("at")
    Log.error("above")
    #expect(recorder.messages == ["at", "above"])
  }

  @Test func `NoLog rejects even critical messages without evaluating them`() {
    Log.instance = NoLog()
    Log.critical("\(fail("it was evaluated"))")
    #expect(!NoLog().accepts(.critical))
  }

  private func fail(_ text: Comment) -> String {
    Issue.record(text)
    return ""
  }
}
