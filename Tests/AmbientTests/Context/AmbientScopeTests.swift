// SPDX-License-Identifier: Apache-2.0

import Ambient
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite struct `Ambient scopes` {
  /// A context of a user's own.
  enum Region {
    private static let context = AmbientContext<String>("Region") { "nowhere" }
    static var instance: String {
      get { context.instance }
      set { context.instance = newValue }
    }
    static func withInstance<R>(_ region: String, _ body: () -> R) -> R {
      context.withInstance(region, body)
    }
  }

  @Test func `an isolating scope isolates all contexts, including contexts that a program defines`()
  {
    AmbientScope.isolated {
      let log = LogRecorder()
      Log.instance = log
      Region.instance = "inside"
      AmbientScope.isolated {
        #expect(Log.instance !== log)
        #expect(Region.instance == "nowhere")
        Region.instance = "further inside"
      }
      #expect(Log.instance === log)
      #expect(Region.instance == "inside")
    }
    #expect(Region.instance == "nowhere")
  }

  @Test func `an isolating scope hides the outer log metadata and the log metadata provider`() async
  {
    await #expect(processExitsWith: .success) {
      Log.metadata = ["process": 1]
      Log.metadataProvider = { ["provided": 2] }
      AmbientScope.isolated {
        precondition(Log.metadata.isEmpty && Log.metadataProvider == nil)
        Log.withMetadata(["inner": 3]) { precondition(Log.metadata == ["inner": 3]) }
        AmbientScope.outside { precondition(Log.metadata == ["process": 1]) }
      }
      precondition(Log.metadata == ["process": 1])
    }
  }

  @Test func `an isolating scope also isolates contexts that are created inside the scope`() {
    AmbientScope.isolated {
      let context = AmbientContext<String>("New") { "default" }
      context.instance = "inside"
      #expect(context.instance == "inside")
      AmbientScope.isolated { #expect(context.instance == "default") }
    }
  }

  @Test func `contexts keep their values in a scope, whichever context is used first`() async {
    await #expect(processExitsWith: .success) {
      // Ends a search that has no end.
      endIfHanging()
      let first = AmbientContext<Int>("First") { 0 }
      let second = AmbientContext<Int>("Second") { 0 }
      let third = AmbientContext<Int>("Third") { 0 }
      AmbientScope.isolated {
        first.instance = 1
        precondition(second.instance == 0 && third.instance == 0)
        third.instance = 3
        precondition(first.instance == 1 && second.instance == 0 && third.instance == 3)
        AmbientScope.isolated { precondition(first.instance == 0 && third.instance == 0) }
      }
      precondition(first.instance == 0 && second.instance == 0 && third.instance == 0)
    }
  }

  @Test func `a child task's assignment to a context is visible to its parent and sibling tasks`()
    async
  {
    await AmbientScope.isolated {
      await Task { Region.instance = "from a task" }.value
      #expect(Region.instance == "from a task")
      async let assigned: Void = { Region.instance = "from async let" }()
      await assigned
      #expect(Region.instance == "from async let")
      await withTaskGroup(of: String.self) { group in
        group.addTask { Region.instance }
        for await region in group { #expect(region == "from async let") }
      }
    }
  }

  @Test func `a task that outlives its withInstance block keeps the block's instance`() async {
    let (region, task) = Region.withInstance("block") {
      (Region.instance, Task { Region.instance })
    }
    #expect(region == "block")
    #expect(await task.value == "block")
  }

  @Test func `a detached task uses the enclosing scope only through AmbientScope.capture()`() async
  {
    await AmbientScope.isolated {
      Region.instance = "inside"
      let scope = AmbientScope.capture()
      #expect(await Task.detached { Region.instance }.value == "nowhere")
      #expect(await Task.detached { scope.run { Region.instance } }.value == "inside")
      let later = Task.detached {
        await scope.run {
          await Task.yield()
          return Region.instance
        }
      }
      #expect(await later.value == "inside")
    }
  }

  @Test func `Dispatch and Operation blocks that run synchronously use the caller's scope`() {
    let context = AmbientContext<String>("Test") { "default" }
    let seen = Guarded<[String]>([])
    let look = { @Sendable in seen.withLock { $0.append(context.instance) } }
    context.withInstance("bound") {
      DispatchQueue(label: "test").sync(execute: look)
      DispatchWorkItem(block: look).perform()
      BlockOperation(block: look).start()
    }
    #expect(seen.withLock { $0 } == ["bound", "bound", "bound"])
  }

  @Test func `a captured scope can be used on a Dispatch queue`() async {
    await AmbientScope.isolated {
      Region.instance = "inside"
      let scope = AmbientScope.capture()
      let seen = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: (Region.instance, scope.run { Region.instance }))
        }
      }
      #expect(seen.0 == "nowhere")
      #expect(seen.1 == "inside")
    }
  }

  @Test func `a captured scope can be used on a new Thread`() async {
    await AmbientScope.isolated {
      Region.instance = "inside"
      let scope = AmbientScope.capture()
      let seen = await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: scope.run { Region.instance }) }.start()
      }
      #expect(seen == "inside")
    }
  }

  @Test func `run() of a scope that was captured outside all scopes hides the current scope`() {
    let outside = AmbientScope.capture()
    AmbientScope.isolated {
      Region.instance = "inside"
      outside.run { #expect(Region.instance == "nowhere") }
      #expect(Region.instance == "inside")
    }
  }

  @Test func `isolated() and run() of AmbientScope rethrow typed errors`() throws {
    struct Refused: Error, Equatable {}
    #expect(throws: Refused.self) {
      try AmbientScope.isolated { () throws(Refused) in throw Refused() }
    }
    #expect(throws: Refused.self) {
      try AmbientScope.capture().run { () throws(Refused) in throw Refused() }
    }
  }
}
