import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients)
struct `What a recorder expects` {
  let recorder = LogRecorder()

  init() { Log.instance = recorder }

  @Test func `is met by message, level and some of the fields, whatever the order`() throws {
    Log.info(
      "order placed", ["order": 42, "total": 19.9, "in": ["x": 1, "y": 2] as AmbientFields])
    Log.warning("slow")
    Log.info("order placed", ["order": 43])
    try recorder.require(
      LogExpectation(level: .warning),
      LogExpectation(
        "order placed", level: .info,
        ["in": ["y": 2, "x": 1] as AmbientFields, "order": UInt64(42)]),
      LogExpectation("order placed"))
    try recorder.require()
  }

  @Test func `is met by a record of its own, even if a later one needs the first that fits`() throws
  {
    Log.info("placed", ["order": 1])
    Log.info("placed")
    try recorder.require(LogExpectation("placed"), LogExpectation(level: .info, ["order": 1]))
    let error = #expect(throws: LogExpectationError.self) {
      try recorder.require(
        LogExpectation("placed"), LogExpectation("placed"), LogExpectation("placed"))
    }
    #expect(error?.missing.count == 1)
    #expect(error?.description.contains("meets another expectation") == true)
  }

  @Test func `and is not logged, is told with what came nearest`() throws {
    Time.freeze(at: Date(timeIntervalSinceReferenceDate: 0)) {
      Log.info("order placed", ["order": 41, "gift": true])
      Log.error("refused")
    }
    let error = #expect(throws: LogExpectationError.self) {
      try recorder.require(
        LogExpectation("order placed", level: .notice, ["order": 42, "to": "ada"]))
    }
    #expect(
      error?.description == """
        not logged: notice  order placed  order=42 to=ada
          nearest: 2001-01-01T00:00:00.000000Z info     order placed order=41 gift=true
            level: expected notice, found info
            order: expected 42, found 41
            to: expected ada, found none
        logged, 2 in all:
          2001-01-01T00:00:00.000000Z info     order placed order=41 gift=true
          2001-01-01T00:00:00.000000Z error    refused
        """)
  }

  @Test func `and nothing was logged, says so`() {
    let error = #expect(throws: LogExpectationError.self) {
      try recorder.require(LogExpectation(level: .error))
    }
    #expect(error?.description == "not logged: error  any message\nnothing was logged")
  }
}
