import Ambient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AmbientCollectors

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
    let trouble = try #require(analytics.status.trouble)
    #expect(EventQueue.trouble(in: queue)?.reason == trouble.reason)
    analytics.track(3..<5)
    #expect(analytics.erase(user: "ada") == 0)
    #expect(analytics.status.waiting == 3 && analytics.status.trouble == trouble)
    #expect(analytics.status.lost == ["the queue was closed": 2])
    #expect(EventQueue.trouble(in: queue)?.reason == trouble.reason)
    // Once more, as a program may that shuts down all it knows.
    await analytics.shutdown(deadline: .now)
    #expect(analytics.status.waiting == 3)
  }
}

@Suite(.quiet) struct `What an uploader has lost` {
  private struct Nowhere: EventDestination {
    let name = "Nowhere"
    let limits = RequestLimits(events: 1, bytes: 1)
    func entry(for record: [UInt8], now: Date) -> EventEntry { EventEntry(record) }
    func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
      OutgoingRequest("POST", URL(filePath: "/"), body: [])
    }
  }

  private struct Unnoted: DeliveryNotes {
    func note(_ trouble: DeliveryTrouble?) {}
    func hasAccepted(_ target: String) -> Bool { false }
    func noteAccepted(_ target: String) {}
  }

  private let ledger = UploadLedger(Nowhere(), noun: "event", Unnoted())

  private func lose(_ count: Int, _ reason: String) {
    let key = ledger.key(for: reason)
    ledger.count(delivered: 0, lost: count, key)
    ledger.tellLoss(of: count, key, reason, detail: "")
  }

  @Test func `has 32 reasons at most, and further ones are one`() {
    for number in 0..<40 { lose(2, "reason \(number)") }
    let lost = ledger.counts.lost
    #expect(lost.count == 33 && lost["other reasons"] == 16)
    #expect((0..<32).allSatisfy { lost["reason \($0)"] == 2 })
    // Each is reported once.
    lose(1, "reason 0")
    lose(1, "reason 50")
    #expect(ledger.counts.lost["reason 0"] == 3 && ledger.counts.lost["other reasons"] == 17)
    #expect(Test.reports.count == 33)
  }
}
