import Ambient
import Checkout
import Foundation

/// Runs one line of code at a frozen instant, with two logs and two analytics; shows its output.
struct Story: Sendable {
  let shop: Shop

  fileprivate static let instant = "2026-11-27T00:00:00-05:00"

  fileprivate static let code = "let order = try await desk.checkout(request)"

  /// The records and events of the two purchases.
  struct Told {
    fileprivate let logged: [String]
    /// The last event, as its line of JSON.
    fileprivate let tracked: String
    /// The names of the events that the recorder received from the second purchase.
    fileprivate let trackedInTest: [String]
  }

  /// Makes the same purchase twice: first as the program, with a log and analytics, and then as a
  /// test, with only a recorder of events.
  func tell() async throws -> Told {
    let (log, analytics) = (LogRecorder(level: .info), AnalyticsRecorder())
    try await buy(log, analytics)
    let recorder = AnalyticsRecorder()
    try await buy(NoLog(), recorder)
    return Told(
      logged: log.records.map { "\($0)" }, tracked: analytics.trackedEvents.last?.json ?? "{}",
      trackedInTest: recorder.events.map(\.name))
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
}

extension Story.Told {
  func text(style: Style) -> String {
    func wrapped(_ text: String) -> String {
      text.wrapped(to: style.textWidth).joined(separator: "\n")
    }
    let lines = logged.map { wrapped(Self.shortened($0)) }.joined(separator: "\n")
    let event = Self.folded(Self.shortened(tracked), to: style.textWidth)
    return """
      \(wrapped("One line of code, with time frozen at \(Story.instant):"))

        \(style.bold(Story.code))

      \(wrapped("What it logs; who calls it passes no log, and no time:"))
      \(style.green(lines))

      What it tracks, in the end:
      \(style.green(event))

      \(wrapped("The same line with NoLog and a recorder, as in a test, logs nothing and tracks:"))
      \(style.green(wrapped(trackedInTest.joined(separator: ", "))))

      \(wrapped("Next: ambient-demo time, ambient-demo wiring, ambient-demo help"))

      """
  }

  /// The story as one line of JSON, with the event as an object.
  func json() throws -> String {
    let event = try JSONSerialization.jsonObject(with: Data(tracked.utf8))
    let fields: [String: Any] = [
      "instant": Story.instant, "code": Story.code, "logged": logged, "tracked": event,
      "trackedInTest": trackedInTest,
    ]
    let data = try JSONSerialization.data(
      withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
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
