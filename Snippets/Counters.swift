// SPDX-License-Identifier: Apache-2.0

// A collector of one's own, as a whole program.

// snippet.counters
import Ambient
import AmbientCollectors
import Foundation

/// A server that counts. It takes one line for each event, such as `sign_up 1`.
struct CounterDestination: EventDestination {
  let url: URL
  let name = "CounterAnalytics"
  let limits = RequestLimits(events: 500, bytes: 16_000)
  let settingsToCheck = ["url"]

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    guard let tracked = try? TrackedEvent(json: record) else {
      throw EventRefusal("its line cannot be read")
    }
    let counter = tracked.event.name
    guard !counter.contains(where: \.isWhitespace) else {
      throw EventRefusal(field: "event", "the name of a counter has no spaces")
    }
    return EventEntry(Array("\(counter) 1".utf8))
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let lines = entries.joined(separator: "\n".utf8)
    var request = OutgoingRequest("POST", url, body: Array(lines))
    request.headers = ["Content-Type": "text/plain"]
    return request
  }

  // This server answers 409 while it is busy; any other status has its usual meaning.
  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    answer.status == 409 ? .retry("busy") : .usual(for: answer, now: now)
  }
}

final class CounterAnalytics: QueuedAnalytics, @unchecked Sendable {
  init(
    url: URL, queue: EventQueue, transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    try super.init(CounterDestination(url: url), queue: queue, transport: transport)
  }
}

/// Prints each request instead of sending it, and answers 204.
struct PrintedRequests: HTTPTransport {
  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    print("\(request.method) \(request.url)\n\(String(decoding: request.body, as: UTF8.self))")
    return HTTPAnswer(204)
  }
}

guard let url = URL(string: "https://counters.example/") else { fatalError("malformed address") }
let counters = try CounterAnalytics(
  url: url, queue: EventQueue(folder: "counters-queue"), transport: PrintedRequests())
Analytics.instance = counters

Analytics.track("sign_up")
Analytics.track("sign_up")
Analytics.track("sign up")  // refused: a name with a space

await AmbientScope.shutdown(within: .seconds(5))
print("\(counters.status.delivered) delivered, lost: \(counters.status.lost)")
// snippet.end
