// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// An OpenTelemetry collector that accepts OTLP over HTTP with JSON.
struct OTLPDestination: EventDestination {
  /// A function that writes the entry for a line that was appended to the queue at `date`.
  typealias Writer =
    @Sendable (
      _ line: [UInt8], _ date: Date, _ now: Date, _ ledger: Amendments
    ) throws(EventRefusal) -> EventEntry

  let name: String
  let settingsToCheck: [String]
  let limits = OTLPLimits.request
  private let endpoint: PostTarget
  private let head: [UInt8]
  private let write: Writer
  private let remarks: OTLPRemarks
  private let ledger: Amendments

  /// - Parameters:
  ///   - type: The name of the collector's type, with which the destination's name in reports
  ///     begins.
  ///   - write: Writes the entry for a line of the queue.
  init(
    _ type: String, _ settings: OTLPSettings, write: @escaping Writer
  ) {
    name = "\(type) \(settings.endpoint.url.withoutSecrets)"
    settingsToCheck = settings.sources
    ledger = Amendments(name)
    self.write = write
    endpoint = settings.endpoint
    remarks = OTLPRemarks(name, settings)
    head = settings.head
  }

  var secrets: [String] { endpoint.secrets }

  var amendments: [String: Int] { ledger.counts }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    // Faults are reported here instead of in the initializer, because `Diagnostics` reads the
    // current scope, which the initializer must not do.
    remarks.reportFaults()
    return try write(record, date, now, ledger)
  }

  func overhead(of group: String) -> Int { head.count + OTLPSettings.tail.count }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let body = head + entries.joined(separator: ",".utf8) + OTLPSettings.tail
    return endpoint.request(posting: body)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    if let doubt = DeliveryVerdict.brokenOff(answer) { return doubt }
    if let partial = PartialSuccess(answer) {
      if partial.refused > 0 {
        return .partlyAccepted(
          refused: partial.refused, reason: "refused by the server", detail: partial.message)
      }
      remarks.report(partial.message)
    }
    return .otlp(answer, now: now)
  }
}

extension DeliveryVerdict {
  /// Returns the verdict on an answer in OTLP.
  ///
  /// 425, 429, 502, 503 and 504 get `retry`. 408 and the other statuses from 500, except 511, are
  /// abandoned, since OTLP forbids repeating a request after them. Any other status, such as 511,
  /// is judged as in ``usual(for:now:)``. Halving a refused request, which finds the bad record, is
  /// allowed: a half is not the same request.
  static func otlp(_ answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    switch answer.status {
    // With 425 and 511, the server has not processed the records, so sending them again does
    // not duplicate any.
    case 425, 429, 502, 503, 504, 511: .usual(for: answer, now: now)
    case 408, 500...: .abandoned("status \(answer.status)", detail: answer.excerpt)
    default: .usual(for: answer, now: now).retriedIfUnclear
    }
  }
}

/// The member `partialSuccess` of a successful answer. It says how many records were refused, or
/// contains a warning.
private struct PartialSuccess {
  /// The number of refused records.
  let refused: Int
  let message: String

  /// Parses the answer. Returns nil if the answer isn't a success, or has no `partialSuccess` with
  /// refused records or a message.
  init?(_ answer: HTTPAnswer) {
    guard answer.status / 100 == 2,
      let object = try? JSONSerialization.jsonObject(with: Data(answer.body)),
      let body = object as? [String: Any],
      let partial = body["partialSuccess"] as? [String: Any]
    else { return nil }
    // OTLP's JSON encodes numbers of 64 bits as text, but some servers send a number.
    let count = partial["rejectedLogRecords"]
    refused = (count as? String).flatMap { Int($0) } ?? (count as? NSNumber)?.intValue ?? 0
    let text = partial["errorMessage"] as? String ?? ""
    message = answer.shown(text)
    if refused <= 0, message.isEmpty { return nil }
  }
}
