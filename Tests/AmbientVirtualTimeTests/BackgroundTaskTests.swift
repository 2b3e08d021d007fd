// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import TestSupport
import Testing

struct `Background tasks` {
  let timeline = Timeline()

  private func heartbeat() -> Task<Void, any Error> {
    Time.backgroundTask(name: "heartbeat") {
      do {
        for try await _ in Time.timer(every: .seconds(10)) { timeline.stamp("beat") }
      } catch {
        timeline.stamp("\(type(of: error))")
        throw error
      }
    }
  }

  @Test func `a background task is cancelled without a report when its virtual time scope ends`()
    async throws
  {
    let reports = Timeline()
    let beat = try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in
        let beat = heartbeat()
        Time.backgroundTask { Time.task { try await Time.sleep(for: .seconds(900)) } }
        try await Time.sleep(for: .seconds(25))
        timeline.sleeper("leftover", 900)
        return beat
      }
    }
    await #expect(throws: CancellationError.self) { try await beat.value }
    #expect(
      timeline.lines == [
        "10.0 beat", "20.0 beat", "25.0 CancellationError", "25.0 leftover cancelled",
      ])
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains("Timeline.swift") == true)
  }

  @Test func `all waiting background tasks are cancelled when their virtual time scope ends`()
    async throws
  {
    // One for each, since a stream ends when one of its readers is cancelled.
    let streams = (0..<3).map { _ in AsyncStream<Int>.makeStream() }
    let readers = streams.map(\.stream)
    let tasks = try await Time.virtual(from: start) { _ in
      readers.map { stream in
        Time.backgroundTask {
          for await _ in stream {}
          return Task.isCancelled
        }
      }
    }
    #expect(tasks.map(\.isCancelled) == [true, true, true])
    // Ends those, too, that were not cancelled.
    for stream in streams { stream.continuation.finish() }
    for task in tasks { #expect(await task.value) }
  }

  @Test func `VirtualTime.run() doesn't wait for background tasks`() async throws {
    try await Time.virtual(from: start) { time in
      _ = heartbeat()
      timeline.sleeper("foreground", 15)
      try await time.run()
    }
    #expect(
      timeline.lines == ["10.0 beat", "15.0 foreground", "15.0 CancellationError"])
  }

  @Test func `a virtual time scope opened in a background task runs normally`() async throws {
    let reports = Timeline()
    try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in
        try await Time.backgroundTask {
          try await Time.virtual(from: start) { time in
            timeline.sleeper("sleeper", 10)
            try await time.run()
            timeline.stamp("run")
            timeline.sleeper("leftover", 900)
          }
        }.value
      }
    }
    #expect(timeline.lines == ["10.0 sleeper", "10.0 run", "10.0 leftover cancelled"])
    #expect(reports.lines.count == 1)
  }

  @Test func `a background task in real time returns its value`() async throws {
    let task = Time.withInstance(DefaultTime()) { Time.backgroundTask { 42 } }
    #expect(await task.value == 42)
  }

  @Test(arguments: [true, false])
  func `a background task's error is reported unless the task was cancelled`(isVirtual: Bool)
    async throws
  {
    struct Broken: Error {}
    let kinds = Guarded<[Diagnostic.Kind]>([])
    let (reported, report) = AsyncStream<Void>.makeStream()
    let diagnostics = Diagnostics.calling { diagnostic in
      kinds.withLock { $0.append(diagnostic.kind) }
      report.yield()
    }
    @Sendable func fail() async {
      let failed = Time.backgroundTask { () throws -> Void in throw Broken() }
      let cancelled = Time.backgroundTask { () throws -> Void in
        while !Task.isCancelled { await Task.yield() }
        throw Broken()
      }
      cancelled.cancel()
      for task in [failed, cancelled] {
        let result = await task.result
        #expect(throws: Broken.self) { try result.get() }
      }
      await Time.hold { for await _ in reported { break } }
    }
    try await Diagnostics.withInstance(diagnostics) {
      if isVirtual {
        try await Time.virtual(from: start) { _ in await fail() }
      } else {
        await fail()
      }
    }
    #expect(kinds.withLock { $0 } == [.taskFailed])
  }

  @Test func `a Time.task can throw an error whose description reads Time.now`() async {
    await #expect(processExitsWith: .success) {
      struct Dated: Error, CustomStringConvertible {
        var description: String { "failed at \(Time.now)" }
      }
      endIfHanging()
      try await Time.virtual(from: start) { _ in
        let task = Time.task { throw Dated() }
        guard case .failure(let error) = await task.result, error is Dated else {
          preconditionFailure()
        }
      }
    }
  }

  @Test func `an error in a Time.task started by a background task isn't reported`()
    async throws
  {
    struct Broken: Error {}
    let kinds = Guarded<[Diagnostic.Kind]>([])
    let diagnostics = Diagnostics.calling { report in kinds.withLock { $0.append(report.kind) } }
    try await Diagnostics.withInstance(diagnostics) {
      try await Time.virtual(from: start) { _ in
        let outer = Time.backgroundTask {
          let inner = Time.task { () throws -> Void in throw Broken() }
          _ = await inner.result
        }
        await outer.value
      }
    }
    #expect(kinds.withLock { $0 }.isEmpty)
  }

  @Test
  func `a task started in a captured AmbientScope doesn't inherit the caller's log metadata`()
    async throws
  {
    let recorder = LogRecorder()
    try await Log.withInstance(recorder) {
      try await Time.virtual(from: start) { _ in
        let worker = Worker(period: .seconds(60))
        await Log.withMetadata(["request": 1]) { _ = await worker.task() }
        try await Time.sleep(for: .seconds(90))
      }
      let worker = Worker(period: .zero)
      try await Log.withMetadata(["request": 2]) { await worker.task() }.value
    }
    #expect(recorder.records.map(\.metadata) == [[:], [:]])
  }

  private actor Worker {
    private let scope = AmbientScope.capture()
    private let period: Duration

    init(period: Duration) { self.period = period }

    func task() -> Task<Void, any Error> {
      scope.run {
        Time.backgroundTask {
          try await Time.sleep(for: self.period)
          Log.info("worked")
        }
      }
    }
  }
}
