// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct `Service flushing` {
  final class Held: AmbientService {
    let flushes = Atomic<Int>(0)
    func flush() { flushes.add(1, ordering: .relaxed) }
    var count: Int { flushes.load(ordering: .relaxed) }
  }

  /// A service that an existential holds.
  struct Flags: AmbientService {
    let held: Held
    func flush() { held.flush() }
  }

  @Test func `if a service doesn't implement shutdown(), the default shutdown() calls flush()`()
    async
  {
    let held = Held()
    await held.shutdown(deadline: .now)
    #expect(held.count == 1)
  }

  @Test func `logs and analytics created from closures call their flush and shutdown closures`()
    async
  {
    let calls = Timeline()
    let end = ContinuousClock.now + .seconds(60)
    let log = Log.calling(
      flush: { calls.note("flush") }, shutdown: { calls.note("\($0 == end)") },
      { calls.note($0.message.description) })
    let analytics = Analytics.calling(
      flush: { calls.note("flush") }, shutdown: { calls.note("\($0 == end)") },
      { calls.note($0.event.name) })
    log.info("a line")
    analytics.track("an event")
    log.flush()
    analytics.flush()
    await log.shutdown(deadline: end)
    await analytics.shutdown(deadline: end)
    #expect(calls.lines == ["a line", "an event", "flush", "flush", "true", "true"])
  }

  @Test
  func `without a shutdown closure, shutdown() of a log or analytics calls the flush closure`()
    async
  {
    let calls = Timeline()
    await Log.calling(flush: { calls.note("log") }, { _ in }).shutdown(deadline: .now)
    await Analytics.calling(flush: { calls.note("analytics") }, { _ in })
      .shutdown(deadline: .now)
    #expect(calls.lines == ["log", "analytics"])
  }

  @Test func `assigning a new service for the process flushes the replaced service`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let first = Held()
    context.instance = first
    #expect(first.count == 0)
    context.instance = Held()
    #expect(first.count == 1)
  }

  @Test func `assigning a new service inside a scope flushes the replaced service`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let first = Held()
    context.withInstance(first) {
      context.instance = Held()
      #expect(first.count == 1)
    }
    #expect(first.count == 1)
  }

  @Test func `when a scope ends, the service that was last assigned inside is flushed`() {
    let context = AmbientContext<any Sendable>("Anything") { 0 }
    let (bound, second, third) = (Held(), Held(), Held())
    for first in [bound, 1] as [any Sendable] {
      context.withInstance(first) {
        context.instance = second
        context.instance = third
      }
    }
    #expect((bound.count, second.count, third.count) == (1, 2, 2))
    AmbientScope.isolated {
      context.instance = second
      context.instance = third
      #expect((second.count, third.count) == (3, 2))
    }
    #expect((second.count, third.count) == (3, 3))
  }

  @Test func `if two threads create a default service at once, the unused service is flushed`()
    async
  {
    enum Twice {
      static let made = Guarded<[Held]>([])
      static let context = AmbientContext<Held>("Twice") {
        let held = Held()
        made.withLock { $0.append(held) }
        // Until the other thread makes one, too.
        #expect(Patience.wait { made.withLock { $0.count } == 2 })
        return held
      }
    }
    await AmbientScope.isolated {
      let scope = AmbientScope.capture()
      await withCheckedContinuation { done in
        Thread {
          scope.run { _ = Twice.context.instance }
          done.resume()
        }.start()
        _ = Twice.context.instance
      }
      let kept = Twice.context.instance
      let counts = Twice.made.withLock { $0.map { $0 === kept ? $0.count : $0.count + 10 } }
      #expect(counts.sorted() == [0, 11])
    }
    // The other thread's capture keeps the scope until that thread has returned.
    #expect(Patience.wait { Twice.made.withLock { $0.map(\.count) } == [1, 1] })
  }

  @Test func `a service is flushed when the last scope that uses the service ends`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let held = Held()
    var scope: AmbientScope? = context.withInstance(held) {
      context.withInstance(held) {}
      return AmbientScope.capture()
    }
    scope?.run { #expect(held.count == 0, "a capture keeps the scope") }
    scope = nil
    #expect(held.count == 1)
  }

  @Test func `a service is not flushed while another scope or the process still uses the service`()
  {
    let context = AmbientContext<Held>("Held") { Held() }
    let held = Held()
    context.instance = held
    context.withInstance(held) {}
    AmbientScope.isolated { context.instance = held }
    context.instance = held
    #expect(held.count == 0)
    context.instance = Held()
    #expect(held.count == 1)
  }

  @Test func `when a scope ends, a service whose context stores an existential is flushed`() {
    let context = AmbientContext<any Sendable>("Anything") { 0 }
    let held = Held()
    context.withInstance(held) { context.withInstance(1) {} }
    #expect(held.count == 1)
    context.withInstance(Flags(held: held)) {}
    #expect(held.count == 2, "a value, which has no identity")
  }

  @Test func `when a scope ends, a service whose context stores an optional is flushed`() {
    let context = AmbientContext<Held?>("Maybe") { nil }
    let held = Held()
    context.withInstance(held) { context.withInstance(nil) {} }
    #expect(held.count == 1)
  }

  @Test func `replaced logs and analytics are flushed, even those in a MultiLog or MultiAnalytics`()
  {
    final class HeldLog: Log, @unchecked Sendable {
      let held = Held()
      override func flush() { held.flush() }
    }
    final class HeldAnalytics: Analytics, @unchecked Sendable {
      let held = Held()
      override func flush() { held.flush() }
    }
    let log = HeldLog(level: .info)
    let analytics = HeldAnalytics()
    Log.withInstance(MultiLog(log, NoLog())) {
      Analytics.withInstance(MultiAnalytics(analytics)) {
        Log.instance = log
        #expect(log.held.count == 0, "it is installed by itself now")
      }
      #expect(analytics.held.count == 1)
    }
    #expect(log.held.count == 1)
    Log.withInstance(MultiLog(MultiLog(log))) {
      Analytics.withInstance(MultiAnalytics(analytics.through())) {}
      #expect(analytics.held.count == 2, "of a group in a group")
    }
    #expect(log.held.count == 2, "of a group in a group")
  }

  @Test func `a service's flush() can assign another instance to the service's context`() {
    final class Reentrant: AmbientService {
      let action: @Sendable () -> Void
      init(_ action: @escaping @Sendable () -> Void) { self.action = action }
      func flush() { action() }
    }
    enum Target {
      static let context = AmbientContext<Reentrant>("Reentrant") { Reentrant {} }
    }
    let last = Reentrant {}
    Target.context.instance = Reentrant { Target.context.instance = last }
    Target.context.instance = Reentrant {}
    #expect(Target.context.instance === last)
  }
}
