internal import Ambient
internal import Foundation

/// An OpenTelemetry collector that takes OTLP over HTTP with JSON.
struct OTLPDestination: EventDestination {
  /// Writes the entry for a line of the queue, which was appended at `date`.
  typealias Writer =
    @Sendable (
      _ line: [UInt8], _ date: Date, _ now: Date, _ ledger: Amendments
    ) throws(EventRefusal) -> EventEntry

  let name: String
  let settingsToCheck: [String]
  let limits = OTLPLimits.request
  private let endpoint: HTTPEndpoint
  private let head: [UInt8]
  private let write: Writer
  private let remarks: OTLPRemarks
  private let ledger: Amendments

  /// - Parameters:
  ///   - type: The collector's type, for its name in reports.
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

  func entry(for record: [UInt8], now: Date) throws(EventRefusal) -> EventEntry {
    try entry(for: record, at: now, now: now)
  }

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    // Reported here instead of in the initializer, which must not read the current scope, as
    // `Diagnostics` does.
    remarks.reportFaults()
    return try write(record, date, now, ledger)
  }

  func overhead(of group: String) -> Int { head.count + OTLPSettings.tail.count }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let body = head + entries.joined(separator: ",".utf8) + OTLPSettings.tail
    return endpoint.post(body)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
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
  /// The verdict on a status in OTLP: among failures, only 425, 429, 502, 503 and 504 are tried
  /// again.
  ///
  /// Statuses that the specification does not mention, or that concern the address or the key, are
  /// judged as in ``usual(for:now:)``. If a request is refused, halving it finds the bad record.
  /// OTLP forbids only to repeat the same request, and a half is another request.
  static func otlp(_ answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    switch answer.status {
    // With 425 and 511, the server has not processed the records.
    case 425, 429, 502, 503, 504, 511: .usual(for: answer, now: now)
    case 408, 500...: .abandoned("status \(answer.status)", detail: answer.excerpt)
    default: .usual(for: answer, now: now)
    }
  }
}

/// The member `partialSuccess` of an answer of success: it refuses some records, or contains a
/// warning.
private struct PartialSuccess {
  /// The number of refused records.
  let refused: Int
  let message: String

  /// Nil if the answer has no `partialSuccess`, or if `partialSuccess` is empty.
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

/// Reports each ignored variable of the environment, and each warning of the server, once.
private final class OTLPRemarks: Sendable {
  private struct State {
    var faults: [String]
    var told: Set<String> = []
  }

  private let name: String
  private let state: Guarded<State>

  /// The maximum number of reported warnings.
  private static var most: Int { 16 }

  init(_ name: String, _ settings: OTLPSettings) {
    self.name = name
    state = Guarded(State(faults: settings.faults))
  }

  func reportFaults() {
    let faults = state.withLock { state in
      defer { state.faults = [] }
      return state.faults
    }
    for fault in faults {
      Diagnostics.report(Diagnostic(.invalidSetting, source: name, fault))
    }
  }

  func report(_ message: String) {
    let isNew = state.withLock {
      $0.told.count < Self.most && $0.told.insert(message).inserted
    }
    guard isNew else { return }
    Diagnostics.report(
      Diagnostic(.warned, source: name, "the server has taken all, and remarks: \(message)"))
  }
}
