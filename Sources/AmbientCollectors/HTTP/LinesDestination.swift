internal import Ambient
internal import Foundation

/// The server to which ``HTTPAnalytics`` posts lines of JSON.
struct LinesDestination: EventDestination {
  let endpoint: PostTarget
  let layout: PropertyLayout
  let limits: RequestLimits

  init(_ endpoint: PostTarget, _ layout: PropertyLayout, _ limits: RequestLimits) {
    self.endpoint = endpoint
    self.layout = layout
    self.limits = limits
  }

  var name: String { "HTTPAnalytics \(endpoint.url.withoutSecrets)" }

  /// The address, and the query items that may name a table, as in requests to ClickHouse. Other
  /// query items, such as a password, are left out.
  var target: String {
    let items = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let table = items.filter { ["query", "database", "table"].contains($0.name) }
    return "\(endpoint.url.withoutSecrets) \(table.map { "\($0.name)=\($0.value ?? "")" })"
  }

  var secrets: [String] { endpoint.secrets }

  var settingsToCheck: [String] { ["url", "headers", "query"] }

  func entry(for record: [UInt8], now: Date) throws(EventRefusal) -> EventEntry {
    guard let line = layout.line(of: record) else { throw EventRefusal.unreadable }
    return EventEntry(line)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    endpoint.request(posting: entries)
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    .clickHouse(answer, now: now) ?? .usual(for: answer, now: now)
  }
}
