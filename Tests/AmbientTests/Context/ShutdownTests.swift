// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization
import TestSupport
import Testing

/// Each in a process of its own: a shutdown is of the whole process.
@Suite struct `Shutdown of services` {
  final class Order: Sendable {
    static let shared = Order()
    private let kept = Guarded<[String]>([])
    var names: [String] { kept.withLock { $0 } }
    func append(_ name: String) { kept.withLock { $0.append(name) } }
  }

  final class Stopping: AmbientService {
    let name: String
    init(_ name: String) { self.name = name }
    func shutdown(deadline: ContinuousClock.Instant) async { Order.shared.append(name) }
  }

  final class Slow: AmbientService {
    func shutdown(deadline: ContinuousClock.Instant) async {
      for _ in 0..<1_000 { await Task.yield() }
      Order.shared.append(Task.isCancelled ? "cancelled" : "slow")
    }
  }

  final class Stuck: AmbientService {
    func shutdown(deadline: ContinuousClock.Instant) async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Test func `shutdown stops services in reverse order of first use`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let first = AmbientContext<Stopping>("First") { Stopping("default") }
      let second = AmbientContext<Stopping>("Second") { Stopping("default") }
      first.instance = Stopping("first")
      second.instance = Stopping("second")
      let late = await AmbientScope.shutdown()
      precondition(late.isEmpty)
      precondition(Order.shared.names == ["second", "first"], "\(Order.shared.names)")
    }
  }

  @Test func `shutdown stops replaced services as well as the current service`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<Stopping>("Context") { Stopping("default") }
      context.instance = Stopping("old")
      context.instance = Stopping("new")
      await AmbientScope.shutdown()
      precondition(Order.shared.names.sorted() == ["new", "old"], "\(Order.shared.names)")
    }
  }

  @Test func `shutdown stops a service once even if it was installed twice`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<Stopping>("Context") { Stopping("default") }
      let first = Stopping("first")
      context.instance = first
      context.instance = Stopping("second")
      context.instance = first
      await AmbientScope.shutdown()
      precondition(Order.shared.names.sorted() == ["first", "second"], "\(Order.shared.names)")
    }
  }

  /// A service without an identity.
  struct Value: AmbientService {
    let name: String
    func shutdown(deadline: ContinuousClock.Instant) async { Order.shared.append(name) }
  }

  @Test func `shutdown stops each service of a value type, even if two have equal values`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<any AmbientService>("Context") { Value(name: "default") }
      for name in ["old", "old", "new"] { context.instance = Value(name: name) }
      let late = await AmbientScope.shutdown()
      precondition(late.isEmpty)
      let names = Order.shared.names
      precondition(names.sorted() == ["new", "old", "old"], "\(names)")
    }
  }

  /// Notes the time that it is given, in hundreds of seconds.
  final class Timed: AmbientService {
    func shutdown(deadline: ContinuousClock.Instant) async {
      let given = ContinuousClock.now.duration(to: deadline) / Duration.seconds(100)
      Order.shared.append("\(Int(given.rounded()))")
    }
  }

  @Test func `shutdown splits its time limit among current services, not among replaced services`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let first = AmbientContext<Timed>("First") { Timed() }
      let second = AmbientContext<Timed>("Second") { Timed() }
      let third = AmbientContext<Timed>("Third") { Timed() }
      third.instance = Timed()
      second.instance = Timed()
      for _ in 1...2 { first.instance = Timed() }
      let late = await AmbientScope.shutdown(within: .seconds(600))
      precondition(late.isEmpty)
      let given = Order.shared.names
      precondition(given.sorted() == ["2", "3", "6", "6"], "\(given)")
    }
  }

  @Test func `shutdown waits more than a second for a service if the time limit allows`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      final class Sleeping: AmbientService {
        func shutdown(deadline: ContinuousClock.Instant) async {
          try? await Task.sleep(for: .milliseconds(1_100))
          Order.shared.append("slept")
        }
      }
      let context = AmbientContext<Sleeping>("Sleeping") { Sleeping() }
      context.instance = Sleeping()
      let late = await AmbientScope.shutdown(within: .seconds(200))
      precondition(late.isEmpty && Order.shared.names == ["slept"], "\(late)")
    }
  }

  @Test func `shutdown cancels the task of a service that misses the deadline`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      final class Waiting: AmbientService {
        func shutdown(deadline: ContinuousClock.Instant) async {
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(1_000)) }
          Order.shared.append("cancelled")
        }
      }
      let context = AmbientContext<Waiting>("Waiting") { Waiting() }
      context.instance = Waiting()
      let late = await AmbientScope.shutdown(within: .milliseconds(50))
      precondition(late == ["Waiting"], "\(late)")
      let isCancelled = await Patience.waitIdly { Order.shared.names == ["cancelled"] }
      precondition(isCancelled, "it still waits")
    }
  }

  /// A log that tells when it is stopped.
  final class Told: Log, @unchecked Sendable {
    let name: String
    init(_ name: String) {
      self.name = name
      super.init(level: .trace)
    }
    override func write(_ record: LogRecord) {}
    override func shutdown(deadline: ContinuousClock.Instant) async { Order.shared.append(name) }
  }

  /// The same for analytics.
  final class ToldAnalytics: Analytics, @unchecked Sendable {
    override func record(_ event: TrackedEvent) {}
    override func shutdown(deadline: ContinuousClock.Instant) async {
      Order.shared.append("analytics")
    }
  }

  @Test func `shutdown stops a service that was replaced by a value without shutdown()`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<any Sendable>("Context") { 0 }
      context.instance = Stopping("replaced")
      context.instance = 1
      let late = await AmbientScope.shutdown()
      precondition(late == [], "\(late)")
      precondition(Order.shared.names == ["replaced"], "\(Order.shared.names)")
    }
  }

  @Test func `if a log was replaced by a MultiLog that contains it, shutdown stops the log once`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let (log, other, analytics) = (Told("log"), Told("other"), ToldAnalytics())
      Log.instance = log
      Log.instance = MultiLog(log, MultiLog(other, log))
      Analytics.instance = analytics
      Analytics.instance = analytics.through(.enriching(["app": "shop"]))
      Analytics.instance = MultiAnalytics(analytics.through(), analytics)
      await AmbientScope.shutdown()
      let names = Order.shared.names
      precondition(names.sorted() == ["analytics", "log", "other"], "\(names)")
    }
  }

  @Test func `if several logs of a MultiLog are late, shutdown lists the MultiLog once as late`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      final class StuckLog: Log, @unchecked Sendable {
        override func write(_ record: LogRecord) {}
        override func shutdown(deadline: ContinuousClock.Instant) async {
          while true { sleep(1_000) }
        }
      }
      Log.instance = MultiLog(StuckLog(), Told("log"), StuckLog())
      let late = await AmbientScope.shutdown(within: .seconds(15))
      precondition(late == ["Log"], "\(late)")
      precondition(Order.shared.names == ["log"], "\(Order.shared.names)")
    }
  }

  /// Blocks for ever while it writes, and so whatever waits for that.
  final class Jammed: Log, @unchecked Sendable {
    static let isWriting = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    override func write(_ record: LogRecord) {
      lock.lock()
      Self.isWriting.signal()
      while true { sleep(1_000) }
    }
    override func flush() { lock.withLock {} }
  }

  @Test func `shutdown abandons a log that blocks and stops the other services`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let first = AmbientContext<Stopping>("First") { Stopping("default") }
      first.instance = Stopping("first")
      Log.instance = MultiLog(Jammed(level: .trace), Told("log"))
      Thread.detachNewThread { Log.info("jammed") }
      Self.wait(for: Jammed.isWriting)
      let late = await AmbientScope.shutdown(within: .seconds(15))
      precondition(late == ["Log"], "\(late)")
      precondition(Order.shared.names == ["log", "first"], "\(Order.shared.names)")
      let recorder = LogRecorder()
      Log.withInstance(recorder) { Log.info("goes on") }
      precondition(recorder.messages == ["goes on"])
    }
  }

  /// Not in an asynchronous function, where the compiler refuses it.
  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func `changes that a service makes in its shutdown() are visible to the caller afterwards`()
    async
  {
    // A plain variable, so that the thread sanitizer tells if nothing orders the two.
    final class Counting: AmbientService, @unchecked Sendable {
      var count = 0
      func shutdown(deadline: ContinuousClock.Instant) async { count += 1 }
    }
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<Counting>("Counting") { Counting() }
      let all = (0..<10).map { _ in Counting() }
      for service in all { context.instance = service }
      await AmbientScope.shutdown()
      precondition(all.allSatisfy { $0.count == 1 })
    }
  }

  @Test func `shutdown waits for services even if the calling task is cancelled`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<Slow>("Slow") { Slow() }
      context.instance = Slow()
      let late = await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await AmbientScope.shutdown()
      }.value
      precondition(late.isEmpty, "\(late)")
      precondition(Order.shared.names == ["slow"], "\(Order.shared.names)")
    }
  }

  @Test func `shutdown abandons and reports a service that misses the deadline`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      endIfHanging()
      let before = AmbientContext<Stopping>("Before") { Stopping("default") }
      let stuck = AmbientContext<Stuck>("Stuck") { Stuck() }
      before.instance = Stopping("before")
      stuck.instance = Stuck()
      let late = await AmbientScope.shutdown(within: .seconds(15))
      precondition(late == ["Stuck"], "\(late)")
      precondition(Order.shared.names == ["before"], "\(Order.shared.names)")
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ambient: Stuck.instance: "))
  }

  @Test func `shutdown gives each replaced service the whole time limit`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      endIfHanging()
      let stuck = AmbientContext<any AmbientService>("Stuck") { Stuck() }
      for _ in 0..<20 { stuck.instance = Stuck() }
      stuck.instance = Stopping("in force")
      let late = await AmbientScope.shutdown(within: .seconds(5))
      precondition(late.count == 20, "\(late)")
      precondition(Order.shared.names == ["in force"], "\(Order.shared.names)")
    }
    // Each had the whole time, at once; in turn, each would have had a twentieth.
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let limits = text.matches(of: /Stuck\.instance: .*?(\S+) seconds/).map { Double($0.1) ?? 0 }
    #expect(limits.count == 20, "\(text)")
    #expect(limits.allSatisfy { $0 > 0.5 && $0 <= 5 }, "\(text)")
  }

  /// Blocks its thread for ever.
  final class Blocking: AmbientService {
    func shutdown(deadline: ContinuousClock.Instant) async { while true { sleep(1_000) } }
  }

  @Test(arguments: [0, 1, 2, 10])
  func `shutdown abandons services that block their thread and stops the other services`(count: Int)
    async
  {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      endIfHanging()
      let first = AmbientContext<Stopping>("First") { Stopping("default") }
      first.instance = Stopping("first")
      for _ in 0..<count {
        let context = AmbientContext<Blocking>("Blocking") { Blocking() }
        context.instance = Blocking()
        context.instance = Blocking()
      }
      // Each has a share of it, which is to last on a busy machine.
      let late = await AmbientScope.shutdown(within: .seconds(count == 10 ? 40 : 12))
      precondition(late == Array(repeating: "Blocking", count: 2 * count), "\(late)")
      precondition(Order.shared.names == ["first"], "\(Order.shared.names)")
    }
  }

  #if os(Linux)
    @Test func `shutdown returns a service as late if no thread can start for the service`() async {
      await #expect(processExitsWith: .success) {
        let context = AmbientContext<Stopping>("Context") { Stopping("default") }
        context.instance = Stopping("in force")
        await ResourceLimit.forbidThreads()
        let late = await AmbientScope.shutdown(within: .seconds(1))
        precondition(late == ["Context"], "\(late)")
        precondition(Order.shared.names.isEmpty)
      }
    }
  #endif

  @Test func `shutdown returns as late each service that still waits for a thread at the deadline`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let context = AmbientContext<any AmbientService>("Blocking") { Blocking() }
      for _ in 0..<70 { context.instance = Blocking() }
      context.instance = Stopping("in force")
      let late = await AmbientScope.shutdown(within: .seconds(1))
      precondition(late.count == 70 || late.count == 71, "\(late)")
    }
  }

  @Test(arguments: [0, -1, Int64.min, Int64.max])
  func `shutdown accepts a zero, negative or maximum time limit`(seconds: Int64) async {
    await #expect(processExitsWith: .success) { [seconds = seconds as Int64] in
      endIfHanging()
      let context = AmbientContext<any AmbientService>("Stuck") { Stuck() }
      context.instance = seconds > 0 ? Stopping("in time") : Stuck()
      let late = await AmbientScope.shutdown(within: .seconds(seconds))
      precondition(late == (seconds > 0 ? [] : ["Stuck"]), "\(late)")
    }
  }

  @Test func `shutdown can run while another thread assigns services`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let isDone = Guarded(false)
      Thread.detachNewThread {
        for _ in 0..<20 {
          let context = AmbientContext<Stopping>("Context") { Stopping("default") }
          for _ in 0..<100 { context.instance = Stopping("new") }
        }
        isDone.withLock { $0 = true }
      }
      repeat {
        await AmbientScope.shutdown()
        await AmbientScope.isolated {
          await withTaskGroup { group in
            group.addTask { Isolated.context.instance = Stopping("scope") }
            group.addTask { await AmbientScope.shutdown() }
          }
        }
      } while !isDone.withLock { $0 }
    }
  }

  enum Isolated {
    static let context = AmbientContext<Stopping>("Isolated") { Stopping("default") }
    static let other = AmbientContext<Stopping>("Other") { Stopping("default") }
  }

  @Test func `in an isolating scope, shutdown stops only the services of that scope`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      Isolated.context.instance = Stopping("process")
      await AmbientScope.isolated {
        Isolated.other.instance = Stopping("first")
        Isolated.context.instance = Stopping("replaced")
        Isolated.context.instance = Stopping("scope")
        await AmbientScope.shutdown()
      }
      let names = Order.shared.names
      precondition(names.count == 3 && names.contains("replaced"), "\(names)")
      precondition(names.filter { $0 != "replaced" } == ["scope", "first"], "\(names)")
    }
  }
}
