// Events that are brought to a server, and a collector of one's own.

import Ambient
import AmbientCollectors
import Foundation

let key = ProcessInfo.processInfo.environment["EVENTS_KEY"] ?? ""
let consent = Consent()

// snippet.collector
let queue = try EventQueue(folder: "/var/lib/shop/events", consent: consent, for: .analytics)
let collector = try HTTPAnalytics(
  url: "https://clickhouse.example:8443/",
  headers: ["X-ClickHouse-User": "shop", "X-ClickHouse-Key": key],
  query: ["query": "INSERT INTO events FORMAT JSONEachRow"],
  properties: .flattened("_"), queue: queue)
Analytics.instance = collector
// snippet.end

// snippet.collector-status
let status = collector.status
print("\(status.waiting) wait, \(status.delivered) delivered, dropped: \(status.dropped)")
if let trouble = status.trouble { print("since \(trouble.since): \(trouble.reason)") }
// snippet.end

// snippet.collector-erase
collector.erase(user: "ada")
// snippet.end

// snippet.collector-end
await AmbientScope.shutdown(deadline: .seconds(5))
// snippet.end

// snippet.collector-own
/// Posts one list of JSON for each user.
struct InboxDestination: Destination {
  let name = "Inbox"
  let url: URL
  let limits = RequestLimits(events: 50, bytes: 60_000)

  func entry(for record: [UInt8], now: Date) throws(Refusal) -> Entry {
    guard let event = try? TrackedEvent(json: record) else { throw Refusal("no event") }
    guard let user = event.user else { throw Refusal(field: "user", "missing") }
    return Entry(Array(event.event.json.utf8), group: user.id)
  }

  func overhead(of group: String) -> Int { 2 }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let list = Array("[".utf8) + entries.joined(separator: ",".utf8) + Array("]".utf8)
    return OutgoingRequest(
      "POST", url.appending(path: group), headers: ["Content-Type": "application/json"],
      body: list)
  }
}

final class InboxAnalytics: QueuedAnalytics, @unchecked Sendable {
  init(url: URL, queue: EventQueue) throws(CollectorError) {
    try super.init(InboxDestination(url: url), queue: queue)
  }
}
// snippet.end
