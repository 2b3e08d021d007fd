import Ambient
import AmbientCollectors
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.quiet) struct `The counts of a collector` {
  private final class Readings: Sendable {
    let count = Atomic<Int>(0)
    let wrong = Guarded<[DeliveryStatus]>([])
    let isOver = Atomic<Bool>(false)
    let hasEnded = Atomic<Bool>(false)
  }

  @Test func `have each event once at any moment, be it just delivered or refused`() async throws {
    let folder = TemporaryFolder()
    let readings = Readings()
    // Two events of a hundred are refused, which those beside them are not. Each answer waits until
    // the counts were read.
    let transport = ScriptedTransport { _, lines in
      let before = readings.count.load(ordering: .relaxed)
      while readings.count.load(ordering: .relaxed) == before { usleep(10) }
      return lines.contains { $0.contains(#""number":13}"#) || $0.contains(#""number":57}"#) }
        ? .answer(400) : .answer(200)
    }
    var options = UploadOptions.atFlush
    options.events = 10
    let analytics = try HTTPAnalytics(transport, folder, upload: options)
    for _ in 0..<10 { analytics.track(0..<100) }
    // A thread, so that it reads at any moment of the uploader's task.
    Thread.detachNewThread {
      while !readings.isOver.load(ordering: .relaxed) {
        let status = analytics.status
        let sum = status.waiting + status.delivered + status.lost.values.reduce(0, +)
        if sum != 1_000 { readings.wrong.withLock { $0.append(status) } }
        readings.count.add(1, ordering: .relaxed)
      }
      readings.hasEnded.store(true, ordering: .relaxed)
    }
    await analytics.finish()
    readings.isOver.store(true, ordering: .relaxed)
    #expect(await Patience.waitIdly { readings.hasEnded.load(ordering: .relaxed) })
    #expect(readings.wrong.withLock { $0 }.first == nil)
    #expect(readings.count.load(ordering: .relaxed) > 100)
    #expect(analytics.status.delivered == 980)
    #expect(analytics.status.lost == ["status 400": 20])
    #expect(analytics.status.refused == 20)
  }

  @Test func `stay as they are after a shutdown, whatever comes then`() async throws {
    let folder = TemporaryFolder()
    let queue = folder.path("queue")
    let analytics = try HTTPAnalytics(ScriptedTransport { _, _ in .answer(503) }, folder)
    analytics.track(0..<3)
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.trouble != nil })
    await analytics.shutdown(deadline: .now)
    #expect(analytics.status.waiting == 3)
    analytics.track(3..<5)
    #expect(analytics.erase(user: "ada") == 0)
    #expect(analytics.status.waiting == 3 && analytics.status.trouble?.reason == "status 503")
    #expect(analytics.status.lost == ["the queue was closed": 2])
    #expect(EventQueue.trouble(in: queue)?.reason == "status 503")
    // Once more, as a program may that shuts down all it knows.
    await analytics.shutdown(deadline: .now)
    #expect(analytics.status.waiting == 3)
  }
}
