// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

/// Runs one line of code, first in the program, and then as in a test; shows what it logs and
/// tracks.
struct Story: Sendable {
  let shop: Shop
  /// The analytics that the program has assigned to `Analytics.instance`.
  let analytics: AnalyticsRecorder

  fileprivate static let instant = "2026-11-27T00:00:00-05:00"

  /// The records and events of the two purchases.
  struct Outcome {
    /// The names of the events that the program's analytics have at the end.
    let tracked: [String]
    /// The lines of the test's log.
    let logged: [String]
    /// The last event of the test's recorder, as its line of JSON.
    let trackedInTest: String
  }

  /// Makes the same purchase twice: as the program, and then as a test.
  func tell() async throws -> Outcome {
    try await buy()
    let (log, recorder) = (LogRecorder(level: .info), AnalyticsRecorder())
    // The trait `.frozen(at:)` opens such a scope, and assigns the time.
    try await AmbientScope.isolated {
      Time.instance = try FixedTime(at: Self.instant)
      Log.instance = log
      Analytics.instance = recorder
      try await buy()
    }
    return Outcome(
      tracked: analytics.events.map(\.name), logged: log.records.map { "\($0)" },
      trackedInTest: recorder.trackedEvents.last?.json ?? "")
  }

  /// Buys a mug. The story shows the line that places the order.
  private func buy() async throws {
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    let invoice = PaymentMethod(.invoice, token: "story")
    let request = CheckoutRequest([try BasketLine("mug")], payment: invoice)
    _ = try await desk.checkout(request)
  }
}

extension Story.Outcome {
  func text(style: Style) -> String {
    func wrapped(_ text: String) -> String {
      text.wrapped(to: style.textWidth).joined(separator: "\n")
    }
    func code(_ line: String) -> String {
      line.wrapped(to: style.textWidth - 2).map { style.bold("  \($0)") }.joined(separator: "\n")
    }
    let line = logged.last.map { wrapped(Self.shortened($0)) } ?? ""
    let event = Self.folded(Self.shortened(trackedInTest), to: style.textWidth)
    return """
      \(wrapped("This line buys a mug. It is passed no log, no analytics and no time:"))
      \(code("let order = try await desk.checkout(request)"))

      \(wrapped("1. A program chooses its services once, where it starts:"))
      \(code("Analytics.instance = analytics"))
      \(wrapped("The purchase then tracks:"))
      \(style.green(wrapped(tracked.joined(separator: ", "))))

      \(wrapped("2. A test freezes time, and starts with its own services:"))
      \(code("@Test(.frozen(at: \"\(Story.instant)\")) func …"))
      \(wrapped("The purchase then logs, at the end and in each run:"))
      \(style.green(line))

      \(wrapped("3. An assignment in a test, or in another scope, ends with it:"))
      \(code("Analytics.instance = recorder"))
      \(wrapped("The purchase then tracks only to the recorder, at the end:"))
      \(style.green(event))

      \(wrapped("Next: ambient-demo checkout, ambient-demo time, ambient-demo help"))

      """
  }

  /// The text with each identifier cut to its first four digits, which encode a time. The last
  /// digits of an identifier are random, and would differ at each run.
  private static func shortened(_ text: String) -> String {
    text.replacing(/([0-9A-F]{4})[0-9A-F]{4}(-[0-9A-F]{4,12}){4}/) { "\($0.output.1)…" }
  }

  /// The text, broken after commas into lines of at most `width` characters where possible.
  private static func folded(_ text: String, to width: Int) -> String {
    var lines = [""]
    for part in text.split(separator: ",").joined(separator: ",\n").split(separator: "\n") {
      if lines[lines.count - 1].count + part.count > width { lines.append("") }
      lines[lines.count - 1] += part
    }
    return lines.joined(separator: "\n")
  }
}
