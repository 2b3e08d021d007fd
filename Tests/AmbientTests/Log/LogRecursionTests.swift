// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Recursive logging` {
  private struct Chatty: CustomStringConvertible {
    var description: String {
      Log.info("described")
      return "chatty"
    }
  }

  private struct Endless: CustomStringConvertible {
    var description: String {
      Log.info("again: \(self)")
      return "endless"
    }
  }

  @Test func `a record logged by a value's description comes before the record with the value`() {
    let recorder = LogRecorder()
    Log.withInstance(recorder) { Log.info("got \(Chatty())", ["value": "\(Chatty())"]) }
    #expect(recorder.messages == ["described", "described", "got chatty"])
  }

  @Test func `endless logging by a value's description is cut off and reported once`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      Log.instance = StdoutLog()
      Log.info("got \(Endless())")
      Log.info("got \(Endless())")
      #expect(Log.recordsLostInRecursion == 2)
      Log.info("still works")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.components(separatedBy: "again: endless").count == 15, "\(output)")
    #expect(output.contains("still works"))
    #expect(errors.components(separatedBy: "Ambient: Log: ").count == 2, "\(errors)")
  }

  @Test func `a log handler that itself logs is called no deeper than the recursion limit`() async {
    await #expect(processExitsWith: .success) {
      let recorder = LogRecorder()
      Log.instance = .calling { record in
        recorder.write(record)
        Log.info("handled \(record.message)")
      }
      Log.info("x")
      #expect(recorder.records.count == RecursionLimit.depth)
      #expect(Log.recordsLostInRecursion == 1)
    }
  }

  @Test func `a log handler at the recursion limit of logs can still track an event`() async {
    await #expect(processExitsWith: .success) {
      let analytics = AnalyticsRecorder()
      Analytics.instance = analytics
      let depth = Guarded(0)
      Log.instance = .calling { _ in
        let isDeepest = depth.withLock { depth in
          depth += 1
          return depth == RecursionLimit.depth
        }
        if isDeepest { Analytics.track(Event("deep")) } else { Log.info("deeper") }
      }
      Log.info("x")
      #expect(analytics.events.count == 1)
      #expect(Log.recordsLostInRecursion == 0 && Analytics.eventsLostInRecursion == 0)
    }
  }

  @Test
  func `if a diagnostics handler logs a recursion report, the recursion does not start again`()
    async
  {
    await #expect(processExitsWith: .success) {
      let recorder = LogRecorder()
      Log.instance = recorder
      Diagnostics.instance = .calling { diagnostic in Log.error("\(diagnostic)") }
      Log.info("got \(Endless())")
      #expect(Log.recordsLostInRecursion == 2)
    }
  }
}
