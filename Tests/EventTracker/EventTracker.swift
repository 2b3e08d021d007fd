import Ambient
import AmbientCollectors
import Foundation
import TestSupport

/// A program for tests: tracks numbered events from several threads, brings them to a server, and
/// notes how far it got where its parent can see it.
///
/// `EventTracker URL QUERY QUEUE PROGRESS THREADS EVENTS`: goes on from where the progress says that
/// an earlier one got, up to so many events of each thread, and ends when it could deliver them, or
/// when the server has failed often enough.
@main enum EventTracker {
  static func main() async throws {
    let words = CommandLine.arguments
    let (threads, events) = (Int(words[5])!, Int(words[6])!)
    let progress = try SharedProgress(path: words[4], threads: threads)
    Diagnostics.instance = .calling { _ in }
    progress.phase = .opening
    var options = Journal.Options()
    options.capacity = 64 << 20
    let analytics = try HTTPAnalytics(
      url: words[1], query: ["query": words[2]], properties: .flattened("_"),
      queue: EventQueue(folder: words[3], options),
      upload: UploadOptions(
        events: 500, interval: .milliseconds(20), backoff: .milliseconds(10),
        longestBackoff: .milliseconds(200)))
    Analytics.instance = analytics
    progress.phase = .writing
    let tracking = (0..<threads).map { thread in
      Thread {
        for number in progress.count[thread]..<events {
          progress.isCalling[thread] = true
          Analytics.track(Event("numbered", ["thread": thread, "number": number]))
          progress.count[thread] = number + 1
          progress.isCalling[thread] = false
          // So that all of it lasts as long as a server takes to start a few times.
          if number % 50 == 0 { usleep(2_000) }
        }
      }
    }
    for thread in tracking { thread.start() }
    while (0..<threads).contains(where: { progress.count[$0] < events }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    progress.phase = .ending
    await AmbientScope.shutdown(deadline: .seconds(60))
    progress.lost = analytics.lostEvents
    print(analytics.status.waiting)
  }
}
