// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Scope lifetimes` {
  /// A service that counts how many of its kind are alive.
  final class Counted: Sendable {
    static let alive = Atomic<Int>(0)
    init() { Self.alive.add(1, ordering: .relaxed) }
    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  enum Region {
    static let context = AmbientContext<Counted>("Region") { Counted() }
  }

  enum Other {
    static let context = AmbientContext<String>("Other") { "default" }
  }

  /// Whether the context's next read outside all scopes needs no look for one.
  private static func isPlain<S>(_ context: borrowing AmbientContext<S>) -> Bool {
    context.plain != nil
  }

  /// A task that starts the next one inside a scope of its own, so many times, as a poller does.
  private static func renew(
    _ generations: Int, _ scope: @escaping @Sendable (Int, () -> Void) -> Void
  ) async {
    await withCheckedContinuation { done in renew(generations, scope, done) }
  }

  private static func renew(
    _ left: Int, _ scope: @escaping @Sendable (Int, () -> Void) -> Void,
    _ done: CheckedContinuation<Void, Never>
  ) {
    if left == 0 { return done.resume() }
    scope(left) { _ = Task { renew(left - 1, scope, done) } }
  }

  /// How the renewing tasks open their scopes.
  static let shapes: [(name: String, scope: @Sendable (Int, () -> Void) -> Void)] = [
    ("one context", { _, body in Region.context.withInstance(Counted(), body) }),
    (
      "two in turn",
      { left, body in
        if left % 2 == 0 { return Log.withMetadata(["left": left], body) }
        Region.context.withInstance(Counted(), body)
      }
    ),
    (
      "a log and its metadata",
      { left, body in
        Region.context.withInstance(Counted()) {
          Log.withInstance(NoLog()) {
            Log.metadata = ["left": left]
            Log.withMetadata(["more": left], body)
          }
        }
      }
    ),
    (
      "an isolating scope",
      { _, body in
        AmbientScope.isolated {
          Region.context.instance = Counted()
          body()
        }
      }
    ),
    (
      "a captured scope",
      { _, body in
        Region.context.withInstance(Counted()) { AmbientScope.capture() }.run(body)
      }
    ),
  ]

  #if os(Linux)
    /// How much of the process's memory is in use.
    private static var residentBytes: Int {
      let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        .split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return pages.flatMap { $0 }! * Int(getpagesize())
    }

    @Test(arguments: 0..<5)
    func `if each task starts the next inside a new scope, memory use stays constant`(shape: Int)
      async
    {
      await #expect(processExitsWith: .success) { [shape] in
        let scope = Self.shapes[shape].scope
        await Self.renew(TestRun.rounds(10_000), scope)
        // What leaks grows each time; pools of memory grow once.
        var grown = Int.max
        for _ in 0..<3 where grown >= 1 << 20 {
          let before = Self.residentBytes
          await Self.renew(TestRun.rounds(30_000), scope)
          grown = Self.residentBytes - before
        }
        precondition(grown < 1 << 20, "\(Self.shapes[shape].name): \(grown) bytes more")
        // The last tasks may still be ending.
        let isFreed = await Patience.waitIdly { Counted.alive.load(ordering: .relaxed) == 0 }
        precondition(isFreed, "\(Self.shapes[shape].name): services stay alive")
      }
    }
  #endif

  @Test func `after a scope's last task ends, reads of its context no longer search for scopes`()
    async
  {
    await #expect(processExitsWith: .success) {
      _ = (Region.context.instance, Other.context.instance)
      precondition(Self.isPlain(Region.context) && Self.isPlain(Other.context))
      let before = Counted.alive.load(ordering: .relaxed)
      let task = Region.context.withInstance(Counted()) {
        precondition(!Self.isPlain(Region.context) && Self.isPlain(Other.context))
        return Task { Counted.alive.load(ordering: .relaxed) }
      }
      let seen = await task.value
      precondition(seen == before + 1)
      let isPlain = await Patience.waitIdly { Self.isPlain(Region.context) }
      precondition(isPlain, "readers outside still look for the scope")
      precondition(Counted.alive.load(ordering: .relaxed) == before)
      let scope = AmbientScope.isolated { AmbientScope.capture() }
      precondition(!Self.isPlain(Region.context) && !Self.isPlain(Other.context))
      scope.run {}
    }
  }

  @Test func `a context that is created in an isolating scope searches for scopes on each read`() {
    AmbientScope.isolated {
      let context = AmbientContext<String>("New") { "default" }
      context.instance = "inside"
      AmbientScope.outside { #expect(context.instance == "default") }
      let isPlain = Self.isPlain(context)
      #expect(!isPlain)
      #expect(context.instance == "inside")
    }
  }

  @Test func `withInstance blocks can be nested 5,000 deep`() async {
    enum Depth {
      static let context = AmbientContext<Int>("Depth") { 0 }

      static func descend(to depth: Int) -> Int {
        if context.instance == depth { return depth }
        let next = context.instance + 1
        return context.withInstance(next) {
          let innermost = descend(to: depth)
          precondition(context.instance == next)
          return innermost
        }
      }
    }
    // A thread with room for the frames; the thread sanitizer has room for some ten thousand calls.
    let innermost = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Depth.descend(to: 5_000)) }
      thread.stackSize = 1 << 28
      thread.start()
    }
    #expect(innermost == 5_000)
    #expect(Depth.context.instance == 0)
  }

  @Test func `captured scopes can be nested 10,000 deep`() {
    let context = AmbientContext<Int>("Depth") { 0 }
    var scope = AmbientScope.capture()
    for depth in 1...10_000 {
      scope = scope.run {
        precondition(context.instance == depth - 1)
        return context.withInstance(depth) { AmbientScope.capture() }
      }
    }
    #expect(scope.run { context.instance } == 10_000)
  }

  @Test(.quiet)
  func `if many tasks open scopes and assign a context at once, each scope has its own value`()
    async
  {
    enum Shared { static let context = AmbientContext<Int>("Shared") { -1 } }
    let wrong = await withTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<2_000).count { _ in
            Shared.context.withInstance(number) {
              let isBound = Shared.context.instance == number
              Shared.context.instance = number + 100
              return !isBound || Shared.context.instance != number + 100
            }
          }
        }
        group.addTask { (0..<10_000).count { _ in Shared.context.withService { $0 } >= 0 } }
      }
      group.addTask {
        for number in 0..<2_000 { Shared.context.instance = -number - 1 }
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func `a withInstance binding ends if the body throws, but not if its task is cancelled`()
    async
  {
    struct Refused: Error {}
    let context = AmbientContext<String>("Test") { "default" }
    #expect(throws: Refused.self) {
      try context.withInstance("bound") { () throws(Refused) in throw Refused() }
    }
    let task = Task {
      await context.withInstance("bound") {
        withUnsafeCurrentTask { $0?.cancel() }
        await Task.yield()
        return context.instance
      }
    }
    #expect(await task.value == "bound")
    #expect(context.instance == "default")
  }

  @Test func `a captured scope can be used after its withInstance block has ended`() async {
    let scope = Region.context.withInstance(Counted()) { AmbientScope.capture() }
    await Task.detached {
      scope.run { Region.context.instance = Counted() }
      scope.run { _ = Region.context.withService { ObjectIdentifier($0) } }
    }.value
  }
}

@Suite struct `Code outside all scopes` {
  @Test func `AmbientScope.outside runs its block outside all scopes and then restores the scopes`()
    async
  {
    enum Test { static let context = AmbientContext<String>("Test") { "default" } }
    await Test.context.withInstance("bound") {
      #expect(AmbientScope.outside { Test.context.instance } == "default")
      let task = AmbientScope.outside { Task { Test.context.instance } }
      #expect(await task.value == "default")
      AmbientScope.outside {
        Test.context.withInstance("other") { #expect(Test.context.instance == "other") }
      }
      #expect(Test.context.instance == "bound")
    }
  }

  @Test func `only tasks started inside AmbientScope.outside are marked as outside virtual time`() {
    /// Whether tasks that this thread starts now belong to no scope of virtual time.
    func isOutside() -> Bool {
      let isOutside = AmbientScope.setStartsOutside(false)
      _ = AmbientScope.setStartsOutside(isOutside)
      return isOutside
    }
    var seen = [isOutside()]
    AmbientScope.outside {
      seen.append(isOutside())
      AmbientScope.outside { seen.append(isOutside()) }
      seen.append(isOutside())
    }
    seen.append(isOutside())
    #expect(seen == [false, true, true, true, false])
  }

  @Test func `a task started inside AmbientScope.outside doesn't keep its creator's scope alive`()
    async
  {
    final class Service: Sendable {}
    let context = AmbientContext<Service>("Test") { Service() }
    weak var held: Service?
    var worker: Task<Void, Never>?
    let (stream, wake) = AsyncStream<Void>.makeStream()
    do {
      let service = Service()
      held = service
      context.withInstance(service) {
        worker = AmbientScope.outside { Task { for await _ in stream {} } }
      }
    }
    #expect(held == nil)
    wake.finish()
    await worker?.value
  }
}
