import Ambient
import AmbientCollectors
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.quiet) struct `The counts of a collector` {
  /// Two events of a hundred are refused, which those beside them are not.
  private static let transport = ScriptedTransport { _, lines in
    lines.contains { $0.contains(#""number":13"#) || $0.contains(#""number":57"#) }
      ? .answer(400) : .answer(200)
  }

  @Test func `have each event once at any moment, be it just delivered or refused`() async throws {
    let folder = TemporaryFolder()
    var options = UploadOptions.atFlush
    options.events = 10
    let analytics = try HTTPAnalytics(Self.transport, folder, upload: options)
    for _ in 0..<20 { analytics.track(0..<100) }
    let isOver = Atomic<Bool>(false)
    // A thread, so that it reads at any moment of the uploader's task.
    let wrong = Guarded<[DeliveryStatus]?>(nil)
    let reader = Thread {
      var found: [DeliveryStatus] = []
      while !isOver.load(ordering: .relaxed) {
        let status = analytics.status
        let sum = status.waiting + status.delivered + status.lost.values.reduce(0, +)
        if sum != 2_000 { found.append(status) }
      }
      wrong.withLock { $0 = found }
    }
    reader.start()
    await analytics.finish()
    isOver.store(true, ordering: .relaxed)
    #expect(await Patience.waitIdly { wrong.withLock { $0 != nil } })
    #expect(wrong.withLock { $0 }?.first == nil)
    #expect(analytics.status.delivered == 1_960)
    #expect(analytics.status.lost == ["status 400": 40])
    #expect(analytics.status.refused == 40)
  }
}
