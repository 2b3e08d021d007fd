// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The server to which ``HTTPAnalytics`` posts lines of JSON.
struct LinesDestination: EventDestination {
  let name: String
  let limits: RequestLimits
  private let endpoint: PostTarget
  private let layout: PropertyLayout
  private let ledger: Amendments
  /// The name of the member with the time of the request; nil for none.
  private let sentAt: String?
  private let judge: (@Sendable (HTTPAnswer) -> DeliveryVerdict?)?

  init(
    _ endpoint: PostTarget, _ layout: PropertyLayout, sentAt: String?, _ limits: RequestLimits,
    judge: (@Sendable (HTTPAnswer) -> DeliveryVerdict?)?
  ) throws(CollectorError) {
    if let sentAt, sentAt.isEmpty || layout.mayHaveMember(named: sentAt) {
      throw .invalidSetting(
        name: "sentAt",
        reason: """
          the name “\(sentAt)” is empty, or a line may have a member of that name already; choose \
          another name, such as sent_at
          """)
    }
    self.endpoint = endpoint
    self.layout = layout
    self.sentAt = sentAt
    self.judge = judge
    name = "HTTPAnalytics \(endpoint.url.withoutSecrets)"
    ledger = Amendments(name)
    // Each line gets the member in place of its closing brace; its size is the same at all times.
    var limits = limits
    if let sentAt {
      limits.separator += Self.member(sentAt, Date(timeIntervalSince1970: 0)).count - 1
    }
    self.limits = limits
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

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    guard let line = layout.line(of: record, ledger) else { throw EventRefusal.unreadable }
    return EventEntry(line)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    guard let sentAt else { return endpoint.request(posting: entries) }
    let member = Self.member(sentAt, Time.now)
    return endpoint.request(posting: entries.map { $0.dropLast() + member })
  }

  /// The end of a line: a member with a time, and the closing brace.
  private static func member(_ name: String, _ date: Date) -> [UInt8] {
    var bytes = Array(",\"".utf8)
    bytes.append(unquoted: name)
    return bytes + "\":\"\(date.iso8601())\"}".utf8
  }

  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    // If a closure judges bodies, a body that broke off decides nothing.
    judge?(answer) ?? .clickHouse(answer, now: now)
      ?? (judge == nil ? nil : .brokenOff(answer)) ?? .usual(for: answer, now: now)
  }
}
