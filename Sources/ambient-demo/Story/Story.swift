import Ambient
import Checkout

/// One line of code at a frozen instant, and what it does with two logs and two analytics.
struct Story: Sendable {
  let shop: Shop

  private static let instant = "2026-11-27T00:00:00-05:00"

  /// Buys twice, and tells what was logged and tracked.
  func text(style: Style) async throws -> String {
    let (log, analytics) = (LogRecorder(level: .info), AnalyticsRecorder())
    try await buy(log, analytics)
    let recorder = AnalyticsRecorder()
    try await buy(NoLog(), recorder)
    func wrapped(_ text: String) -> String {
      text.wrapped(to: style.textWidth).joined(separator: "\n")
    }
    let lines = log.records.map { wrapped(Self.shortened("\($0)")) }.joined(separator: "\n")
    let event = analytics.trackedEvents.last.map { Self.shortened($0.json) } ?? ""
    let names = recorder.events.map(\.name).joined(separator: ", ")
    return """
      \(wrapped("One line of code, with time frozen at \(Self.instant):"))

        \(style.bold("let order = try await desk.checkout(request)"))

      \(wrapped("What it logs; who calls it passes no log, and no time:"))
      \(style.green(lines))

      What it tracks, in the end:
      \(style.green(Self.folded(event, to: style.textWidth)))

      \(wrapped("The same line with NoLog and a recorder, as in a test, logs nothing and tracks:"))
      \(style.green(wrapped(names)))

      \(wrapped("Next: ambient-demo time, ambient-demo wiring, ambient-demo help"))

      """
  }

  /// Buys a mug, with that log and those analytics.
  private func buy(_ log: Log, _ analytics: Analytics) async throws {
    try await Time.freeze(at: Self.instant) {
      try await Log.withInstance(log) {
        try await Analytics.withInstance(analytics) {
          let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
          let invoice = PaymentMethod(.invoice, token: "story")
          let request = CheckoutRequest([try BasketLine("mug")], payment: invoice)
          _ = try await desk.checkout(request)
        }
      }
    }
  }

  /// The text with the beginning of each identifier: it is its time, and the rest is random.
  private static func shortened(_ text: String) -> String {
    text.replacing(/([0-9A-F]{4})[0-9A-F]{4}(-[0-9A-F]{4,12}){4}/) { "\($0.output.1)…" }
  }

  /// The text in lines that end with a comma, if they can.
  private static func folded(_ text: String, to width: Int) -> String {
    var lines = [""]
    for part in text.split(separator: ",").joined(separator: ",\n").split(separator: "\n") {
      if lines[lines.count - 1].count + part.count > width { lines.append("") }
      lines[lines.count - 1] += part
    }
    return lines.joined(separator: "\n")
  }
}
