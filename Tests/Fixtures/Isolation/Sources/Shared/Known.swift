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

  func inOldWrapper(_ p: Probe) async {
    await oldWrapper {
      p.on()
      await Task.yield()
      p.on()
    }
  }
}
