import Ambient

/// A wrapper that takes a block as code did before Swift 6.2: an isolated parameter, and a block
/// without isolation of its own. In a module without NonisolatedNonsendingByDefault the block is
/// off its caller's actor, with Ambient or without it (swiftlang/swift#87503).
func oldWrapper<R>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R {
  try await body()
}

extension Home {
  /// A block with a capture list is off its actor (swiftlang/swift#87097).
  func captureList(_ p: Probe) async {
    await Log.withMetadata(["cart": 1]) { [p] in
      p.on()
      await Task.yield()
      p.on()
    }
  }

  /// A `@concurrent` block is off the actor, and the compiler accepts it on an actor.
  func concurrentBlock(_ p: Probe) async {
    await Log.withMetadata(["cart": 1]) { @concurrent in
      p.on()
      await Task.yield()
      p.on()
    }
  }

  /// A closure that is kept in a variable first has no isolation, in a module without
  /// NonisolatedNonsendingByDefault.
  func storedBlock(_ p: Probe) async {
    let block: () async -> Void = {
      p.on()
      await Task.yield()
      p.on()
    }
    await Log.withMetadata(["cart": 1], block)
  }

  func inOldWrapper(_ p: Probe) async {
    await oldWrapper {
      p.on()
      await Task.yield()
      p.on()
    }
  }
}
