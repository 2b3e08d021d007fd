import Ambient
import AmbientTesting
import CWhere
import Testing

/// Whether the caller runs on the main actor.
nonisolated func isOnMain() -> Bool {
  let words = unsafeBitCast(MainActor.shared.unownedExecutor, to: (UInt, UInt).self)
  return is_current_executor(words.0, words.1)
}

/// The blocks of a test's body, with time frozen by a trait.
@Suite(.frozen(at: "2026-11-27T00:00:00Z")) nonisolated struct `A plain suite` {
  @Test func `runs blocks off the main actor, as it runs its tests`() async throws {
    #expect(!isOnMain())
    await Log.withMetadata(["cart": 1]) {
      #expect(!isOnMain())
      await Task.yield()
      #expect(!isOnMain())
    }
  }
}

@Suite(.frozen(at: "2026-11-27T00:00:00Z")) @MainActor struct `A suite of the main actor` {
  private final class Cart {
    var lines = 0
  }

  private let cart = Cart()

  @Test func `runs blocks on the main actor`() async throws {
    #expect(isOnMain())
    let cart = cart
    await Log.withMetadata(["cart": 1]) {
      #expect(isOnMain())
      await Task.yield()
      #expect(isOnMain())
      cart.lines += 1
    }
    try await Time.timeout(after: .seconds(1)) {
      #expect(isOnMain())
      self.cart.lines += 1
    }
    #expect(cart.lines == 2)
  }
}

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z")) @MainActor
struct `A suite of the main actor in virtual time` {
  @Test func `holds time on the main actor`() async throws {
    #expect(isOnMain())
    await Time.hold {
      #expect(isOnMain())
      await Task.yield()
      #expect(isOnMain())
    }
    #expect(isOnMain())
  }
}
