internal import Ambient
internal import Foundation

/// The server to which ``HTTPAnalytics`` posts lines of JSON.
struct LinesDestination: EventDestination {
  let name: String
  let limits: RequestLimits
  private let endpoint: PostTarget
  private let layout: PropertyLayout
  private let ledger: Amendments

  init(_ endpoint: PostTarget, _ layout: PropertyLayout, _ limits: RequestLimits) {
    self.endpoint = endpoint
    self.layout = layout
    self.limits = limits
    name = "HTTPAnalytics \(endpoint.url.withoutSecrets)"
    ledger = Amendments(name)
  }

  /// The address, and the query items that may name a table, as in requests to ClickHouse. Other
  /// query items, such as a password, are left out.
  var target: String {
    let items = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let table = items.filter { ["query", "database", "table"].contains($0.name) }
    return "\(endpoint.url.withoutSecrets) \(table.map { "\($0.name)=\($0.value ?? "")" })"
  }

  var secrets: [String] { endpoint.secrets }

  var settingsToCheck: [String] { ["url", "headers", "query"] }

  var amendments: [String: Int] { ledger.counts }

  func entry(for record: [UInt8], now: Date) throws(EventRefusal) -> EventEntry {
    guard let line = layout.line(of: record, ledger) else { throw EventRefusal.unreadable }
    return EventEntry(line)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    endpoint.request(posting: entries)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    .clickHouse(answer, now: now) ?? .usual(for: answer, now: now)
  }
}
