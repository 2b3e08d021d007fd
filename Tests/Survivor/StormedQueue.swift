// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import Synchronization

/// Analytics with a queue, whose server is this program itself.
enum StormedQueue {
  private static let threads = 8
  private static let isOver = Atomic<Bool>(false)

  static func run(_ storm: DescriptorStorm, _ folder: String, steps: Int) async throws {
    Diagnostics.instance = .calling { _ in }
    let server = OwnServer()
    let queue = try EventQueue(folder: "\(folder)/queue")
    var upload = UploadOptions()
    upload.events = 100
    upload.interval = .milliseconds(5)
    upload.backoff = .milliseconds(1)
    upload.longestBackoff = .milliseconds(10)
    let analytics = try HTTPAnalytics(
      url: "http://events.invalid/", queue: queue, upload: upload, transport: server)
    Analytics.instance = analytics
    let tracked = track(while: { storm.run(steps: steps) })
    let late = await AmbientScope.shutdown(within: .seconds(60))
    let missing = tracked.subtracting(server.names).count
    print("tracked", tracked.count)
    print("missing", missing)
    print("lost", analytics.lostEvents)
    print("late", late.count, analytics.status.waiting)
    print("storm", storm.hits, storm.closed, storm.victims)
  }

  /// Tracks events from threads until `body` returns; returns their names.
  private static func track(while body: () -> Void) -> Set<String> {
    let tracked = Guarded(Set<String>())
    let group = DispatchGroup()
    for thread in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        var number = 0
        while !isOver.load(ordering: .acquiring) {
          number += 1
          Analytics.track(Event("numbered", ["name": "e.\(thread).\(number)"]))
          tracked.withLock { _ = $0.insert("e.\(thread).\(number)") }
          if number % 10 == 0 { usleep(20_000) }
          // The queue stores the user, too.
          if thread == 0, number % 50 == 0 { Analytics.identify("user \(number)") }
        }
        group.leave()
      }
    }
    body()
    isOver.store(true, ordering: .releasing)
    group.wait()
    return tracked.withLock { $0 }
  }
}

/// A server that keeps the names of the events, and refuses some requests.
private final class OwnServer: HTTPTransport {
  private let kept = Guarded((names: Set<String>(), requests: 0))

  var names: Set<String> { kept.withLock { $0.names } }

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    let names = String(decoding: request.body, as: UTF8.self).split(separator: "\n").map { line in
      String(line.split(separator: "\"").first { $0.hasPrefix("e.") } ?? "none")
    }
    let isTaken = kept.withLock { kept in
      kept.requests += 1
      guard kept.requests % 100 != 99 else { return false }
      kept.names.formUnion(names)
      return true
    }
    return HTTPAnswer(isTaken ? 200 : 503)
  }
}
