// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

/// A program for tests: tracks numbered events from several threads, brings them to a server, and
/// notes how far it got where its parent can see it.
///
/// `EventTracker URL QUERY QUEUE PROGRESS THREADS EVENTS [BYTES PACE]`: goes on from where the
/// progress says that an earlier one got, up to so many events of each thread, and ends when it could
/// deliver them, or when the server has failed often enough. It drops nothing: while half of the queue
/// of so many bytes is full, it tracks nothing. It pauses after so many events.
///
/// `EventTracker identify QUEUE USER`: identifies the user, tracks an event, says its anonymous identity, and
/// waits to be killed.
@main enum EventTracker {
  static func main() async throws {
    let words = CommandLine.arguments
    if words[1] == "identify" { return try await identify(words[3], queue: words[2]) }
    let (threads, events) = (Int(words[5])!, Int(words[6])!)
    let progress = try SharedProgress(path: words[4], threads: threads)
    Diagnostics.instance = .calling { _ in }
    var options = EventQueue.Options()
    let capacity = words.count > 7 ? Int(words[7])! : 64 << 20
    options.capacity = capacity
    let pace = words.count > 8 ? Int(words[8])! : 50
    progress.phase = .opening
    let queue: EventQueue
    do throws(CollectorError) { queue = try EventQueue(folder: words[3], options) } catch {
      print(error)
      exit(3)
    }
    progress.phase = .writing
    var lines = HTTPOptions()
    if !words[2].isEmpty { lines.query = ["query": words[2]] }
    lines.properties = .flattened("_")
    var upload = UploadOptions()
    upload.events = 500
    upload.interval = .milliseconds(20)
    upload.backoff = .milliseconds(10)
    upload.longestBackoff = .milliseconds(200)
    let analytics = try HTTPAnalytics(
      url: words[1], queue: queue, options: lines, upload: upload,
      transport: NotedTransport(progress: progress, network: CollectorClient()))
    Analytics.instance = analytics
    let tracking = (0..<threads).map { thread in
      Thread {
        for number in progress.count[thread]..<max(events, progress.count[thread]) {
          progress.isCalling[thread] = true
          Analytics.track(Event("numbered", ["thread": thread, "number": number]))
          progress.count[thread] = number + 1
          progress.isCalling[thread] = false
          // So that all of it lasts as long as a server takes to start a few times.
          if number % pace == 0 { usleep(2_000) }
          while number % 16 == 0, analytics.status.waitingBytes > capacity / 2 {
            usleep(1_000)
          }
        }
      }
    }
    for thread in tracking { thread.start() }
    while (0..<threads).contains(where: { progress.count[$0] < events }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    progress.phase = .ending
    await AmbientScope.shutdown(within: .seconds(60))
    progress.lost = analytics.lostEvents
    print(analytics.status.waiting)
  }
}

extension EventTracker {
  private static func identify(_ user: String, queue folder: String) async throws {
    var options = EventQueue.Options()
    options.hasAnonymousID = true
    let queue = try EventQueue(folder: folder, options)
    var upload = UploadOptions()
    upload.interval = .seconds(1_000_000)
    Analytics.instance = try HTTPAnalytics(
      url: "http://events.invalid/", queue: queue, upload: upload)
    Analytics.identify(user)
    Analytics.track("identified")
    print(queue.anonymousID ?? "none")
    fflush(nil)
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }
}

/// The network, and notes of what is under way there.
private struct NotedTransport: HTTPTransport {
  let progress: SharedProgress
  let network: CollectorClient

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    progress.isAnswered = false
    progress.isExchanging = true
    defer { progress.isExchanging = false }
    let answer = try await network.exchange(request, limits)
    progress.isExchanging = false
    progress.isAnswered = true
    // Time for a kill before it is acknowledged, which takes less than whoever kills needs to look.
    usleep(500)
    return answer
  }
}
