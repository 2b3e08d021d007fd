// SPDX-License-Identifier: Apache-2.0

// The first screen of the README, and a test that treats escapes as issues.

import Ambient
import AmbientTesting
import Foundation
import Testing

struct Order {
  let id: String
  let total: Int
}

// snippet.anywhere
extension Event {
  static func purchase(_ order: Order) -> Event {
    Event("purchase", ["transaction_id": order.id, "value": order.total])
  }
}

func place(_ order: Order) {
  Log.info("order placed", ["order": order.id, "total": order.total, "at": Time.now])
  Analytics.track(.purchase(order))
}
// snippet.end

// snippet.test
@Suite(.frozen(at: "2026-11-27T00:00:00-05:00")) struct `Black Friday` {
  @Test func `an order is tracked once`() {
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder  // for this test only
    let order = Order(id: "A-1", total: 1_250)
    place(order)
    #expect(recorder.events == [.purchase(order)])
    #expect(recorder.trackedEvents[0].date == Time.now)
  }
}
// snippet.end

// snippet.findings
@Suite(.isolatedAmbients(escapes: .issue, defaults: .issue))
struct `A refused order` {
  @Test(.log(LogRecorder()), .analytics(.failing), .frozen(at: "2026-11-27T00:00:00Z"))
  func `is logged and not tracked`() throws {
    Log.warning("order refused", ["order": "A-1"])
    #expect(try LogRecorder.current.messages == ["order refused"])
  }
}
// snippet.end

enum Refused: Error { case limit }

// snippet.expect
@Test(.log(LogRecorder())) func `a refused card is logged`() throws {
  Log.error("not paid", ["order": "A-17"], error: Refused.limit)
  try LogRecorder.current.expect(
    LogExpectation("not paid", level: .error, ["exception.message": "limit"]),
    LogExpectation(["order": "A-17", "card": nil]))
}
// snippet.end

// snippet.expect-events
@Test(.analytics(AnalyticsRecorder())) func `a purchase belongs to its buyer`() throws {
  Analytics.withUser("ada") { Analytics.track(Event("purchase", ["order": 17, "total": 12.5])) }
  try AnalyticsRecorder.current.expect(
    EventExpectation("purchase", ["order": 17, "coupon": nil], user: "ada"))
}
// snippet.end

// snippet.start
// At the start of the program, and nowhere else.
Log.instance = try FileLog(
  path: "shop.log", level: LogLevels("info,Checkout=debug"), rotation: .daily(keep: 7))
Analytics.instance = try FileAnalytics(path: "events.jsonl")
// snippet.end

// snippet.frozen
try Time.freeze(at: "2026-11-27T00:00:00-05:00") {
  place(Order(id: "A-1", total: 1_250))
}
// snippet.end
