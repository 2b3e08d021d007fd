// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.isolatedAmbients)
struct `Log expectations` {
  let recorder = LogRecorder()

  init() { Log.instance = recorder }

  @Test func `log expectations match in any order by message, level and a subset of the fields`()
    throws
  {
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

  @Test func `each log record meets one expectation, assigned so that as many as possible are met`()
    throws
  {
    Log.info("placed", ["order": 1])
    Log.info("placed")
    try recorder.require(LogExpectation("placed"), LogExpectation(level: .info, ["order": 1]))
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(
        LogExpectation("placed"), LogExpectation("placed"), LogExpectation("placed"))
    }
    #expect(error?.missing.count == 1)
    #expect(error?.description.contains("\n  expected 3 times, logged 2 times\n") == true)
    let other = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(
        LogExpectation("placed"), LogExpectation(level: .info), LogExpectation(["order": 1]))
    }
    #expect(other?.missing.count == 1 && other?.missing[0].nearest == nil)
  }

  @Test func `a log expectation can require only fields, a field's absence, or the value NaN`()
    throws
  {
    Log.info("a", ["card": 1, "nan": Double.nan, "in": ["nan": [Double.nan]] as AmbientFields])
    Log.info("b")
    let stored: AmbientFields = ["card": 1]
    try recorder.require(LogExpectation(["card": 1, "pin": nil]), LogExpectation(["card": nil]))
    try recorder.require(LogExpectation(stored), LogExpectation("b"))
    try recorder.require(
      LogExpectation(
        ["nan": Double.nan, "in": ["nan": [Double.nan]] as AmbientFields], level: .info))
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("a", ["card": nil]))
    }
    #expect(error?.missing[0].differences.first == "message: expected “a”, found “b”")
    let present = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation(level: .info, ["card": nil, "nan": 1]))
    }
    #expect(
      present?.missing[0].differences == ["\"nan\": expected 1, found none"]
        && present?.missing[0].nearest?.hasSuffix("b") == true)
    #expect(error?.missing[0].nearest?.hasSuffix("b") == true)
  }

  @Test func `an unmet log expectation lists nested differences by path, shortened and escaped`() {
    let long = String(repeating: "long ", count: 2_000)
    Log.info("first")
    Log.info(
      "line\n\u{1B}", ["": 1, "a b": 2, "in": ["x": 1, "y": [1, 2]] as AmbientFields, "t": long])
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(
        LogExpectation(
          level: .info,
          [
            "": 2, "a b": 2, "in": ["x": 1, "y": [1, 3], "z": 1] as AmbientFields, "t": "short",
          ]),
        LogExpectation("other\n", ["a b": 2]))
    }
    let missing = error?.missing[0]
    #expect(
      missing?.differences.dropLast() == [
        "\"\": expected 2, found 1", "in.y[1]: expected 3, found 2", "in.z: expected 1, found none",
      ])
    #expect(missing?.differences.last?.hasSuffix("…") == true)
    let longest = String(repeating: "ä", count: 500)
    #expect(LogExpectation(longest).description.hasSuffix("  \(longest)"))
    #expect(LogExpectation(longest + "x").description.hasSuffix("ä…"))
    #expect(
      error?.missing[1].differences == [
        #"message: expected “other\n”, found “line\n\u001b”"#
      ])
    #expect(error?.description.contains(#"any level  other\n  "a b"=2"#) == true)
    #expect((error?.description.utf8.count ?? 0) < 4_000)
  }

  @Test func `an unmet log expectation shows the last of several equally similar records`() {
    for index in 0..<25 { Log.info("record \(index)") }
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation(level: .error))
    }
    #expect(error?.missing[0].nearest?.hasSuffix("record 24") == true)
    #expect(error?.description.contains("record 4\n") == false)
  }

  @Test func `an unmet log expectation lists at most 20 differences and 20 records`() throws {
    for count in [19, 20, 21, 25] {
      let recorder = LogRecorder()
      Log.withInstance(recorder) { Log.info("a") }
      let fields = AmbientFields(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", $0) }))
      let error = #expect(throws: UnmetExpectationError.self) {
        try recorder.require(LogExpectation(fields))
      }
      let lines = try #require(error).description.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("    n") } == min(count, 20))
      let more = lines.filter { $0.hasPrefix("    …") }
      #expect(more == (count > 20 ? ["    … and \(count - 20) more"] : []))
      #expect(lines.count == 4 + min(count, 20) + more.count)
      Log.withInstance(recorder) { for _ in 1..<count { Log.info("b") } }
      let other = #expect(throws: UnmetExpectationError.self) {
        try recorder.require(LogExpectation("c"))
      }
      let listed = try #require(other).description.split(separator: "\n")
      #expect(listed.contains { $0.contains(" \(count) ") }, "\(listed)")
      // The first three lines are of the expectation.
      #expect(listed.count == 4 + min(count, 20))
    }
  }

  @Test
  func `log expectations are met if any assignment of records to expectations meets them all`() {
    Log.info("a", ["p": 1])
    Log.info("b", ["p": 1, "q": 1])
    Log.info("c", ["q": 1])
    let all = [
      LogExpectation(["q": 1]), LogExpectation(["p": 1]), LogExpectation(["p": 1, "q": nil]),
    ]
    #expect(throws: Never.self) { try recorder.require(all) }
    #expect(throws: Never.self) { try recorder.require(all.reversed()) }
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(all + [LogExpectation(["q": 1, "p": nil])])
    }
    #expect(error?.missing.count == 1)
    let twice = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("a"), LogExpectation("a"))
    }
    #expect(twice?.missing.count == 1 && twice?.missing[0].nearest == nil)
    let none = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("x"), LogExpectation("x"), LogExpectation("y"))
    }
    #expect(none?.missing.count == 2, "each is told once")
    #expect(none?.description.contains("expected") == true)
    #expect(none?.description.contains("times") == false, "the nearest is told instead")
  }

  @Test func `a log expectation with 20,000 fields is checked in linear time`() throws {
    // Quadratic, that is four hundred million comparisons, which take long.
    let many = AmbientFields(Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("n\($0)", $0) }))
    Log.info("a", ["in": many.merging(["n1": Double.nan])])
    Log.info("many", many)
    try recorder.require(LogExpectation(many))
    #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation(["in": many]), LogExpectation(many.merging(["n1": 2])))
    }
  }

  @Test func `an unmet log expectation shows the most similar record`() throws {
    let none = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation(level: .error))
    }
    Time.freeze(at: Date(timeIntervalSinceReferenceDate: 0)) {
      Log.info("order placed", ["order": 41, "gift": true])
      Log.error("refused")
    }
    let error = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(
        LogExpectation("order placed", level: .notice, ["order": 42, "to": "ada"]))
    }
    let twice = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("refused"), LogExpectation("refused"))
    }
    let shared = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("refused"), LogExpectation(level: .error))
    }
    Time.freeze(at: Date(timeIntervalSinceReferenceDate: 0)) {
      for number in 1...25 { Log.info("\(number) журнал 🛒\n\u{1B}[2J") }
    }
    let many = #expect(throws: UnmetExpectationError.self) {
      try recorder.require(LogExpectation("order\n placed", ["card": nil]))
    }
    try MessageCatalog.expect(
      "Tests, logs",
      [
        "No records": none?.description ?? "",
        "The nearest record": error?.description ?? "",
        "Too few records": twice?.description ?? "",
        "A record that counts once": shared?.description ?? "",
        "Many records": many?.description ?? "",
      ])
  }
}
