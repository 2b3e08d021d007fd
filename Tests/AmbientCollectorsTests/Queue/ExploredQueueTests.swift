// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

private let start = "2026-11-27T00:00:00Z"
private let schedules = TestRun.rounds(40, all: 200, full: 1_000)

/// A server that answers after a while, and notes the events that reach it and those it accepts.
private final class SlowServer: HTTPTransport {
  private struct State {
    var began: [[Int]] = []
    var accepted: [Int] = []
    var isMended = false
  }

  private let state = Guarded(State())

  /// The events of each request, when it began.
  var began: [[Int]] { state.withLock { $0.began } }
  var accepted: [Int] { state.withLock { $0.accepted } }

  /// From now on, each request is accepted.
  func mend() { state.withLock { $0.isMended = true } }

  private func answer(_ events: [Int]) throws(TransportError) -> HTTPAnswer {
    let chance =
      state.withLock { $0.isMended } ? 0 : AmbientRandomNumberGenerator().next() % 6
    switch chance {
    case 0, 1:
      state.withLock { $0.accepted += events }
      return HTTPAnswer(200, headers: [:], body: [])
    case 2: return HTTPAnswer(503, headers: [:], body: [])
    case 3: return HTTPAnswer(400, headers: [:], body: [])
    case 4: return HTTPAnswer(429, headers: ["retry-after": "10"], body: [])
    default: throw TransportError(.unsent, "no network")
    }
  }

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    let lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n")
    let events = numbers(lines.map(String.init))
    state.withLock { $0.began.append(events) }
    let wait = AmbientRandomNumberGenerator().next() % 3_000
    try? await Time.sleep(for: .milliseconds(Int(wait)))
    return try answer(events)
  }
}

@Suite struct `Event queues in explored schedules` {
  private func makeAnalytics(
    _ server: SlowServer, _ folder: TemporaryFolder, consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("queue"), .small, consent: consent),
      upload: UploadOptions().with {
        $0.events = 4
        $0.interval = .seconds(1)
      }, transport: server)
  }

  /// Sleeps for up to a second.
  private static func pause() async {
    let wait = AmbientRandomNumberGenerator().next() % 1_000
    try? await Time.sleep(for: .milliseconds(Int(wait)))
  }

  @Test(.virtualTime(from: start, schedules: schedules), .quiet)
  func `in each explored task order, each event is delivered once or counted as lost`() async throws
  {
    let (folder, server) = (TemporaryFolder(), SlowServer())
    let analytics = try makeAnalytics(server, folder)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          for number in 0..<4 {
            analytics.track(task * 4 + number..<task * 4 + number + 1)
            await Self.pause()
          }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          analytics.flush()
          await Self.pause()
        }
      }
    }
    server.mend()
    for _ in 0..<100 where analytics.status.waiting > 0 { try await Time.sleep(for: .seconds(60)) }
    let status = analytics.status
    #expect(status.waiting == 0)
    #expect(status.delivered + analytics.lostEvents == 12)
    #expect(server.accepted.count == status.delivered)
    #expect(Set(server.accepted).count == status.delivered)
  }

  @Test(.virtualTime(from: start, schedules: schedules), .quiet)
  func `while consent is denied, no request is sent and tracked events are dropped`()
    async throws
  {
    let (folder, server) = (TemporaryFolder(), SlowServer())
    let consent = Consent([.analytics: .granted])
    let analytics = try makeAnalytics(server, folder, consent: consent)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<6 {
          analytics.track(number..<number + 1)
          await Self.pause()
        }
      }
      group.addTask {
        await Self.pause()
        for _ in 0..<3 {
          consent.set(.denied, for: .analytics)
          let before = server.began.count
          analytics.track(100..<103)
          await Self.pause()
          #expect(server.began.count == before)
          consent.set(.granted, for: .analytics)
          await Self.pause()
        }
      }
    }
    server.mend()
    for _ in 0..<100 where analytics.status.waiting > 0 { try await Time.sleep(for: .seconds(60)) }
    let status = analytics.status
    #expect(status.waiting == 0)
    #expect(!server.began.joined().contains { $0 >= 100 })
    #expect(Set(server.accepted).count == server.accepted.count)
  }
}
