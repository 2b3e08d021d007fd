// Events that are brought to a server, and a collector of one's own.

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

let key = ProcessInfo.processInfo.environment["EVENTS_KEY"] ?? ""
let consent = Consent()

// snippet.collector
let queue = try EventQueue(folder: "/var/lib/shop/events", consent: consent, for: .analytics)
let collector = try HTTPAnalytics.clickHouse(
  url: "https://clickhouse.example:8443/", table: ClickHouseTable("events"),
  user: "shop", password: key, queue: queue)
Analytics.instance = collector
// snippet.end

// snippet.collector-room
var room = Journal.Options()
room.capacity = 64 << 20  // bytes; 16 << 20 if not said
room.maximumAge = .seconds(7 * 86_400)  // none if not said
let roomyQueue = try EventQueue(folder: "/var/lib/shop/more-events", room)
// snippet.end

// snippet.anonymous
let appQueue = try EventQueue(folder: "events", hasAnonymousID: true)
// snippet.end

// snippet.collector-refused
let (moved, left) = try EventQueue.retryRefused(in: "/var/lib/shop/events")
// snippet.end

// snippet.collector-authorities
let inside = try HTTPAnalytics(
  url: "https://events.internal/", queue: EventQueue(folder: "/var/lib/shop/inside"),
  transport: HTTPClient(authorities: "/etc/shop/authority.pem"))
// snippet.end

// snippet.collector-status
let status = collector.status
print("\(status.waiting) wait, \(status.delivered) delivered, lost: \(status.lost)")
if let trouble = status.trouble { print("since \(trouble.since): \(trouble.reason)") }
// snippet.end

// snippet.collector-erase
collector.erase(user: "ada")
// snippet.end

// snippet.collector-scripted
/// A server that answers by a script, and takes everything after that.
actor ScriptedServer: HTTPTransport {
  private var script: [Result<HTTPAnswer, TransportError>]
  private(set) var bodies: [String] = []

  init(_ script: [Result<HTTPAnswer, TransportError>]) { self.script = script }

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    bodies.append(String(decoding: request.body, as: UTF8.self))
    return script.isEmpty ? HTTPAnswer(204) : try script.removeFirst().get()
  }
}

@Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
func `a sign-up is sent until a server takes it`() async throws {
  let server = ScriptedServer([
    .failure(TransportError(.unsent, "no network")),
    .success(HTTPAnswer(503, headers: ["retry-after": "60"])),
  ])
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let analytics = try HTTPAnalytics(
    url: "https://events.example/", queue: EventQueue(folder: folder), transport: server)
  analytics.track(Event("sign_up"))
  try await Time.sleep(for: .seconds(120))
  #expect(analytics.status.delivered == 1)
  #expect(await server.bodies.count == 3)
}
// snippet.end

// snippet.collector-end
await AmbientScope.shutdown(deadline: .seconds(5))
// snippet.end

// snippet.collector-own
/// Posts one object of JSON for each user, `{"user":"ada","events":[…]}`.
struct InboxDestination: EventDestination {
  let name = "Inbox"
  let url: URL
  let limits = RequestLimits(events: 50, bytes: 60_000)

  func entry(for record: [UInt8], now: Date) throws(EventRefusal) -> EventEntry {
    guard let event = try? TrackedEvent(json: record) else { throw EventRefusal("no event") }
    guard let user = event.user else { throw EventRefusal(field: "user", "missing") }
    return EventEntry(Array(event.event.json.utf8), group: user.id)
  }

  /// Whatever an id has in it, it cannot leave its text.
  private func head(_ user: String) -> [UInt8] {
    Array("{\"user\":\(AmbientValue.string(user).json),\"events\":[".utf8)
  }

  func overhead(of group: String) -> Int { head(group).count + 2 }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let body = head(group) + entries.joined(separator: ",".utf8) + Array("]}".utf8)
    return OutgoingRequest("POST", url, headers: ["Content-Type": "application/json"], body: body)
  }
}

final class InboxAnalytics: QueuedAnalytics, @unchecked Sendable {
  init(url: URL, queue: EventQueue) throws(CollectorError) {
    try super.init(InboxDestination(url: url), queue: queue)
  }
}
// snippet.end
