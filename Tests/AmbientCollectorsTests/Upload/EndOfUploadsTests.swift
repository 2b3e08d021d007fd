// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

/// Each in a process of its own, which an upload that never ends would end.
@Suite struct `Upload shutdown` {
  @Test func `a shutdown returns as soon as every event is sent, without waiting for the deadline`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let transport = ScriptedTransport([.answer(200), .answer(503), .answer(200)])
      let analytics = try HTTPAnalytics(transport, folder, upload: .prompt)
      analytics.track(0..<1)
      #expect(await analytics.isEmptiedAfterFlush())
      analytics.track(1..<2)
      await analytics.shutdown(deadline: .now + .seconds(3_600))
      #expect(numbers(transport.exchanges.flatMap(\.lines)) == [0, 1, 1])
      #expect(analytics.status.delivered == 2)
    }
  }

  @Test func `after ten 503 responses or one 401, a shutdown returns before the deadline`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for (status, attempts) in [(503, 10), (401, 1)] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let transport = ScriptedTransport { _, _ in .answer(status) }
        await Diagnostics.withInstance(.calling { _ in }) {
          let analytics = try? HTTPAnalytics(transport, folder, upload: .atFlush)
          analytics?.track(0..<1)
          await analytics?.shutdown(deadline: .now + .seconds(3_600))
          #expect(analytics?.status.waiting == 1)
        }
        #expect(transport.exchanges.count == attempts)
      }
    }
  }

  @Test func `if consent is pending, a shutdown returns at once and sends nothing`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let transport = ScriptedTransport([])
      let analytics = try HTTPAnalytics(
        url: "http://events.example/",
        queue: EventQueue(folder: folder.path("queue"), .small, consent: Consent()),
        upload: .prompt, transport: transport)
      analytics.track(0..<1)
      analytics.flush()
      await analytics.shutdown(deadline: .now + .seconds(3_600))
      #expect(transport.exchanges.isEmpty && analytics.status.waiting == 1)
    }
  }
}
