// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

struct `Virtual time scopes` {
  let timeline = Timeline()

  @Test func `a virtual time scope returns its body's value, rethrows and restores Time.instance`()
    async throws
  {
    let hand = HandTime()
    try await Time.withInstance(hand) {
      let answer = try await Time.virtual(from: start) { _ in 42 }
      #expect(answer == 42)
      await #expect(throws: Trouble.here) {
        try await Time.virtual(from: start) { _ in throw Trouble.here }
      }
      #expect(Time.instance === hand)
    }
  }

  @Test func `a virtual time scope cancels and reports the tasks still sleeping at its end`()
    async throws
  {
    let reports = Timeline()
    try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in
        timeline.sleeper("long", 900)
        timeline.sleeper("longer", 1_800)
      }
    }
    #expect(timeline.lines == ["0.0 long cancelled", "0.0 longer cancelled"])
    #expect(reports.lines.count == 2)
    #expect(reports.lines.first?.contains("TestSupport/Timeline.swift") == true)
    #expect(reports.lines.first?.contains("900.0 seconds") == true)
  }

  @Test func `if its body throws, a virtual time scope still reports the tasks that are sleeping`()
    async throws
  {
    let reports = Timeline()
    await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      _ = await #expect(throws: Trouble.here) {
        try await Time.virtual(from: start) { time in
          timeline.sleeper("long", 900)
          try await time.advance(by: .zero)
          throw Trouble.here
        }
      }
    }
    #expect(timeline.lines == ["0.0 long cancelled"])
    #expect(reports.lines.count == 1)
  }

  @Test func `a virtual time scope ends even if a task swallows its CancellationError`()
    async throws
  {
    let isOver = Timeline()
    let task = try await Diagnostics.withInstance(.calling { _ in }) {
      try await Time.virtual(from: start) { _ in
        Time.task {
          while isOver.lines.isEmpty {
            try? await Time.sleep(for: .seconds(1))
            timeline.note("round")
          }
        }
      }
    }
    isOver.note("now")
    await task.value
    #expect(!timeline.lines.isEmpty)
  }

  @Test func `a virtual time scope ends and reports a task that keeps running when cancelled`()
    async throws
  {
    let (isOver, reports) = (Timeline(), Timeline())
    let task = try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in
        let sleeper = Time.task { try await Time.sleep(for: .seconds(900)) }
        return Time.task(name: "restless") {
          _ = await sleeper.result
          // Not for ever, so that a scope that waits for it ends, too.
          for _ in 0..<1_000_000 where isOver.lines.isEmpty { await Task.yield() }
        }
      }
    }
    isOver.note("now")
    await task.value
    let (sleeps, runs) = (reports.lines.first, reports.lines.last)
    #expect(sleeps?.contains("900.0 seconds") == true, "\(reports.lines)")
    #expect(reports.lines.count == 2 && runs?.contains("“restless”") == true, "\(reports.lines)")
  }

  /// Scopes that kept their threads would leave none to those that have not begun yet. In a process
  /// of its own, whose pool has nothing else to do.
  @Test(arguments: ["yields", "sleeps", "advances"])
  func `busy virtual time scopes don't keep later scopes from starting on the thread pool`(
    way: String
  ) async {
    await #expect(processExitsWith: .success) { [way] in
      endIfHanging()
      let begun = Timeline()
      let count = 8 * ProcessInfo.processInfo.activeProcessorCount
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await Time.virtual(from: start) { time in
              begun.note("begun")
              var turns = 0
              while begun.lines.count < count {
                turns += 1
                precondition(turns < 1_000_000, "\(begun.lines.count) of \(count) have begun")
                switch way {
                case "yields": await Task.yield()
                case "sleeps": try await Time.sleep(for: .seconds(1))
                default: try await time.advance(by: .zero)
                }
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Each kind of wait, and of end.
  @Test(
    .quiet,
    arguments: [
      "nothing", "sleep", "advance", "bare task", "main actor", "leftover", "background", "hold",
      "cancelled", "child",
    ])
  func `a virtual time scope always ends, for any kind of work in its body`(what: String)
    async throws
  {
    let end = await outcome {
      try await Time.virtual(from: start) { time in
        switch what {
        case "sleep": try await Time.sleep(for: .seconds(1))
        case "advance": try await time.advance(by: .seconds(1))
        case "bare task": await Task { await Task.yield() }.value
        case "main actor": await MainActor.run {}
        case "leftover": Time.task { try await Time.sleep(for: .seconds(9)) }
        case "background": Time.backgroundTask { try await Time.sleep(for: .seconds(9)) }
        case "hold": await Time.hold { await Task.detached {}.value }
        case "cancelled":
          let task = Time.task { try await Time.sleep(for: .seconds(9)) }
          await Task.yield()
          task.cancel()
          _ = await task.result
        case "child": try await Time.timeout(after: .seconds(1)) { await Task.yield() }
        default: break
        }
        return time.uptime
      }
    }
    let uptime = try #require(end).get()
    #expect(uptime == (["sleep", "advance"].contains(what) ? .seconds(1) : .zero))
    let isMarked = await MainActor.run { VirtualTurn.current != nil }
    #expect(!isMarked, "no code of others is taken for the scope's")
  }

  @Test func `a stalled scope is cancelled, and its error names the open Time.hold`() async throws {
    let text = try await Stall.text { [timeline] _ in
      await withTaskCancellationHandler {
        await Time.hold { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      } onCancel: {
        timeline.note("cancelled")
      }
    }
    #expect(timeline.lines == ["cancelled"])
    #expect(text.contains("; a Time.hold at AmbientVirtualTimeTests/VirtualScopeTests.swift:"))
  }

  /// Whether it is found to go on, or to have to be asked, by two wake-ups of the watch.
  @Test func `an outer scope isn't watched for stalls while an inner scope is open`()
    async throws
  {
    try await Time.virtual(from: start) { outer in
      @Sendable func isWatched() -> [Bool] {
        (0..<2).map { _ in
          outer.scheduler.withState { state in
            // As if the pool and the main queue had answered all that they were asked.
            _ = (state.poolAnswered(1_000), state.mainQueueAnswered(1_000))
            return state.tick(waited: nil).map { _ in true } ?? false
          }
        }
      }
      let isWithin = try await Time.virtual(from: start) { _ in isWatched() }
      #expect(isWithin == [false, false])
      try await outer.advance(by: .zero)
      let isAfter = await Time.hold {
        // All tasks of the scope are suspended meanwhile.
        await Outside.wait { Patience.wait { isWatched().contains(true) } }
      }
      #expect(isAfter)
    }
  }

  @Test func `an ended virtual time scope that ran a bare Task is deallocated`() async throws {
    struct Kept { weak let scheduler: VirtualScheduler? }
    let kept = try await Time.virtual(from: start) { time in
      await Task { await Task.yield() }.value
      return Kept(scheduler: time.scheduler)
    }
    #expect(await Patience.waitIdly { kept.scheduler == nil })
  }

  @Test func `advancing the time of an ended scope throws an error that names the caller`()
    async throws
  {
    let time = try await Time.virtual(from: start) { $0 }
    let advance = { try await time.advance(by: .seconds(1)) }
    let place = SourcePlace(fileID: #fileID, line: #line - 1)
    let advancing = VirtualTimeError(.ended(caller: place))
    await #expect(throws: advancing) { try await advance() }
    #expect(advancing.description.hasPrefix("\(place) "))
  }

  @Test func `cancelling the task that opened a virtual time scope cancels the scope`() async throws
  {
    let task = Task {
      try await Time.virtual(from: start) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        timeline.note("cancelled: \(Task.isCancelled)")
        try await Time.sleep(for: .seconds(1))
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let outer = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Time.virtual(from: start) { _ in
        timeline.note("cancelled: \(Task.isCancelled)")
        try await Time.sleep(for: .seconds(1))
      }
    }
    await #expect(throws: CancellationError.self) { try await outer.value }
    #expect(timeline.lines == ["cancelled: true", "cancelled: true"])
  }

  @Test func `a deadlock ends the virtual time scope, and the error names the waiting tasks`()
    async throws
  {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start) { _ in
        let (stream, feed) = AsyncStream<Int>.makeStream()
        let task = Time.task(name: "reader") {
          for await _ in stream {}
          withExtendedLifetime(feed) {}
        }
        defer { task.cancel() }
        for await _ in AsyncStream<Int>(unfolding: {
          await task.value
          return nil
        }) {}
        try Task.checkCancellation()
      }
    }
    let waiting = try #require(error?.deadlocked, "\(error as Any)")
    #expect(waiting.count == 2)
    #expect(
      waiting.last?.hasPrefix(
        "Time.task “reader” at AmbientVirtualTimeTests/VirtualScopeTests.swift") == true)
  }

  @Test func `a deadlock of an outer scope is still found after an inner scope has ended`()
    async throws
  {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    // Ends the body if nobody notices the deadlock.
    let rescue = Task {
      _ = await Patience.waitIdly { Task.isCancelled }
      feed.finish()
    }
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start) { _ in
        try await Time.virtual(from: start) { _ in }
        for await _ in stream {}
      }
    }
    rescue.cancel()
    let waiting = try #require(error?.deadlocked, "\(error as Any)")
    #expect(waiting.count == 1)
  }

  @Test func `if a deadlocked scope's body throws its own error, the deadlock is still reported`()
    async throws
  {
    let reports = Timeline()
    await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      _ = await #expect(throws: Trouble.here) {
        try await Time.virtual(from: start) { _ in
          let (stream, feed) = AsyncStream<Int>.makeStream()
          for await _ in stream {}
          withExtendedLifetime(feed) {}
          throw Trouble.here
        }
      }
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.hasPrefix("Time.virtual: deadlock: ") == true)
    #expect(reports.lines.first?.contains(BareTasks.cure(isHeld: true)) == true)
    #expect(reports.lines.first?.contains("patience:") == true)
  }

  @Test(.quiet) func `a deadlocked scope ends without waiting for a body that never resumes`()
    async throws
  {
    let end = await outcome { [timeline] in
      try await Time.virtual(from: start, fileID: "Tests/Body.swift", line: 7) { _ in
        timeline.sleeper("sleeper", 10)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        timeline.note("never")
      }
    }
    // A stall, which it is not, would be one.
    #expect(Test.reports.isEmpty)
    let error = #expect(throws: VirtualTimeError.self) { try end?.get() }
    let body = "the body of the scope at Tests/Body.swift:7, since uptime 0.0 seconds"
    #expect(error == VirtualTimeError(.deadlock(waiting: [body])))
    #expect(timeline.lines == ["10.0 sleeper"])
  }

  @Test func `at the end of a virtual time scope, a task that neither sleeps nor ends is reported`()
    async throws
  {
    let reports = Timeline()
    // One for each, since a stream ends when one of its readers is cancelled.
    let streams = (0..<3).map { _ in AsyncStream<Int>.makeStream() }
    let (first, second, third) = (streams[0].stream, streams[1].stream, streams[2].stream)
    try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in
        Time.task(name: "stuck") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        Time.task(name: "reader") { for await _ in first {} }
        Time.task(name: "done") {}
        Time.task(name: "sleeper") {
          // Reported as asleep, and not once more because it goes on.
          try? await Time.sleep(for: .seconds(900))
          for await _ in second {}
        }
        Time.backgroundTask(name: "server") { for await _ in third {} }
        await Task.yield()
      }
    }
    for stream in streams { stream.continuation.finish() }
    let lines = reports.lines
    #expect(lines.count == 3, "\(lines)")
    let expected = [
      "sleeps for 900.0", "“stuck” at AmbientVirtualTimeTests/VirtualScopeTests", "“reader” at ",
    ]
    for (line, text) in zip(lines, expected) { #expect(line.contains(text), "\(line)") }
  }

  @Test func `a deadlock error lists the errors that tasks threw`() async throws {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start) { _ in
        Time.task(name: "feeder") { throw Trouble.here }
        await Task.yield()
        let (stream, feed) = AsyncStream<Int>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(feed) {}
      }
    }
    let waiting = try #require(error?.deadlocked, "\(error as Any)")
    #expect(waiting.count == 2)
    #expect(
      waiting.last?.contains("Time.task “feeder” at AmbientVirtualTimeTests/VirtualScope") == true)
    #expect(waiting.last?.hasSuffix(", which threw here, and has ended") == true)
  }

  @Test func `bare Tasks and Time.task tasks run in the order in which they were started`()
    async throws
  {
    let logs = try await distinct(50) {
      let timeline = Timeline()
      try await Time.virtual(from: start) { _ in
        let first = Task { timeline.note("bare") }
        let second = Time.task { timeline.note("own") }
        let third = Task.detached { timeline.note("detached") }
        let fourth = Time.task { timeline.note("own again") }
        _ = (await first.value, await second.value)
        _ = (await third.value, await fourth.value)
      }
      return timeline.lines
    }
    #expect(logs == [["bare", "own", "detached", "own again"]])
  }

  @Test func `work outside the scope awaited in Time.hold isn't reported as a deadlock`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      await Time.hold { await Task.detached { for _ in 0..<2_000 { await Task.yield() } }.value }
      timeline.note("done")
    }
    #expect(timeline.lines == ["done"])
  }

  @Test func `virtual time waits for Time.hold, except while the holding task sleeps`() async throws
  {
    try await Time.virtual(from: start) { time in
      let sleeper = timeline.sleeper("sleeper", 10)
      let held = Time.task {
        try await Time.hold {
          await Task.detached { for _ in 0..<50 { await Task.yield() } }.value
          timeline.stamp("held")
          try await Time.sleep(for: .seconds(20))
          await Task.detached { for _ in 0..<50 { await Task.yield() } }.value
          timeline.stamp("held again")
        }
      }
      timeline.sleeper("last", 21)
      try await time.advance(by: .seconds(30))
      try await held.value
      try await sleeper.value
    }
    #expect(timeline.lines == ["0.0 held", "10.0 sleeper", "20.0 held again", "21.0 last"])
  }

  @Test func `Time.hold returns its body's value and rethrows the body's typed error`() async throws
  {
    func fail() async throws(Trouble) -> Int { throw .here }
    let hand = HandTime()
    await Time.withInstance(hand) {
      #expect(await Time.hold { 1 } == 1)
      do throws(Trouble) { _ = try await Time.hold(fail) } catch { #expect(error == .here) }
    }
    try await Time.virtual(from: start) { time in
      #expect(await Time.hold { 1 } == 1)
      do throws(Trouble) { _ = try await Time.hold(fail) } catch { #expect(error == .here) }
      await Time.hold { await Time.hold {} }
      try await time.advance(by: .seconds(1))
    }
  }
}

@MainActor
struct `Main actor tasks in virtual time` {
  /// A model that ticks in a bare task on the main actor, where no scope sees it.
  @MainActor
  final class Model {
    var ticks: [Double] = []

    func run() -> Task<Void, any Error> {
      Task {
        while true {
          try await Time.sleep(for: .seconds(1))
          ticks.append(Time.uptime / .seconds(1))
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `an advance that waits for one sleeper runs every tick of a loop on the main actor`(
    round: Int
  )
    async throws
  {
    let model = Model()
    try await Time.virtual(from: start) { time in
      let task = await model.run()
      try await time.advance(by: .seconds(50), sleepers: 1)
      #expect(await model.ticks == (1...50).map(Double.init))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(arguments: 0..<20)
  func `an advance that requires one sleeper waits until a main actor task sleeps`(round: Int)
    async throws
  {
    try await Time.virtual(from: start) { _ in try await hideBanner(round) }
  }

  private func hideBanner(_ round: Int) async throws {
    let time = try VirtualTime.current
    let timeline = Timeline()
    let banner = Task {
      for _ in 0..<round { await Task.yield() }
      try await Time.sleep(for: .seconds(5))
      timeline.stamp("hidden")
    }
    try await time.advance(by: .zero, sleepers: 1)
    try await time.advance(by: .seconds(5))
    try await banner.value
    #expect(timeline.lines == ["5.0 hidden"])
  }

  @Test(arguments: 0..<20)
  func `main actor work awaited in Time.hold ends at the expected virtual time`(round: Int)
    async throws
  {
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      Time.task { try await Time.hold { try await work(round, timeline) } }
      try await time.advance(by: .seconds(9))
    }
    #expect(timeline.lines == ["5.0 done"])
  }

  private func work(_ round: Int, _ timeline: Timeline) async throws {
    for _ in 0..<round { await Task.yield() }
    try await Time.sleep(for: .seconds(5))
    for _ in 0..<round { await Task.yield() }
    timeline.stamp("done")
  }

  @Test(arguments: 0..<20)
  func `virtual time waits for main actor work in Time.hold`(round: Int) async throws {
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      for name in ["a", "b"] {
        Time.task {
          for _ in 0..<10 {
            try await Time.sleep(for: .seconds(1))
            await Time.hold { await MainActor.run { timeline.stamp(name) } }
          }
        }
      }
      try await time.advance(by: .seconds(10))
    }
    let expected = (1...10).flatMap { ["\(Double($0)) a", "\(Double($0)) b"] }
    #expect(timeline.lines.sorted() == expected.sorted())
    #expect(
      timeline.lines.map { $0.prefix { $0 != " " } } == expected.map { $0.prefix { $0 != " " } })
  }
}
