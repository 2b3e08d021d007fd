// SPDX-License-Identifier: Apache-2.0

// Collectors that send events to a server.

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

let key = ProcessInfo.processInfo.environment["EVENTS_KEY"] ?? ""
let consent = Consent()

// snippet.collector
let collector = try HTTPAnalytics(
  url: "https://events.example/", queue: EventQueue(folder: "/var/lib/shop/events"))
Analytics.instance = collector
// snippet.end

// snippet.collector-consent
let askingQueue = try EventQueue(
  folder: "/var/lib/shop/asking", consent: consent, for: .analytics)
// snippet.end

// snippet.collector-login
var login = ClickHouseOptions()
login.user = "shop"
login.password = key
Analytics.instance = try HTTPAnalytics.clickHouse(
  url: "https://clickhouse.example:8443/", table: ClickHouseTable("events"),
  queue: EventQueue(folder: "/var/lib/shop/clickhouse"), options: login)
// snippet.end

// snippet.collector-room
var room = EventQueue.Options()
room.capacity = 64 << 20  // bytes; the default is 16 << 20
room.maximumAge = .seconds(7 * 86_400)  // no limit by default
let roomyQueue = try EventQueue(folder: "/var/lib/shop/more-events", room)
// snippet.end

// snippet.anonymous
var identities = EventQueue.Options()
identities.hasAnonymousID = true
let appQueue = try EventQueue(folder: "events", identities)
// snippet.end

// snippet.collector-refused
let (moved, left) = try EventQueue.retryRefused(in: "/var/lib/shop/events")
// snippet.end

// snippet.collector-options
var upload = UploadOptions()
upload.interval = .seconds(1)
upload.events = 100
upload.repeatsInDoubt = 2
let frequent = try HTTPAnalytics(
  url: "https://events.example/", queue: EventQueue(folder: "/var/lib/shop/frequent"),
  upload: upload)
// snippet.end

// snippet.collector-flush
collector.flush()  // sends the events of earlier starts
// snippet.end

// snippet.collector-judging
/// The answer of a server that counts the events which it refused.
nonisolated struct Receipt: Decodable { let refused: Int }

let judged = try HTTPAnalytics(
  url: "https://events.example/", queue: EventQueue(folder: "/var/lib/shop/judged"),
  judging: { answer in
    guard answer.status == 200,
      let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(answer.body)),
      receipt.refused > 0
    else { return nil }
    return .partlyAccepted(
      refused: receipt.refused, reason: "refused in the body", detail: answer.text)
  })
// snippet.end

// snippet.collector-sent-at
var stamp = HTTPOptions()
stamp.sentAt = "sent_at"
let stamped = try HTTPAnalytics(
  url: "https://events.example/", queue: EventQueue(folder: "/var/lib/shop/stamped"),
  options: stamp)
// snippet.end

// snippet.collector-trust-roots
let inside = try HTTPAnalytics(
  url: "https://events.internal/", queue: EventQueue(folder: "/var/lib/shop/inside"),
  transport: CollectorClient(
    trustRoots: "/etc/shop/authority.pem",
    certificate: ClientCertificate(path: "/etc/shop/client.pem", key: "/etc/shop/client-key.pem")))
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
/// A server that answers by a script, and then accepts everything.
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
func `a sign-up is sent until a server accepts it`() async throws {
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
await AmbientScope.shutdown(within: .seconds(5))
// snippet.end
