import Ambient

nonisolated final class Cart {
  var lines: [String] = []
  var count = 0
}

/// An actor whose blocks change its state while other calls of it do, too.
actor Shop {
  private let cart = Cart()

  /// Fills the cart from a block that names a local constant, and not `self`.
  func fill() async {
    let cart = cart
    await Log.withMetadata(["cart": 1]) {
      await Task.yield()
      for line in 0..<200_000 { cart.lines.append("line \(line)") }
    }
  }

  /// Counts in the block of a timeout, and suspends between the counts.
  func count() async {
    let cart = cart
    _ = try? await Time.timeout(after: .seconds(600)) {
      for _ in 0..<20 {
        await Task.yield()
        for _ in 0..<10_000 { cart.count += 1 }
      }
    }
  }

  func work() {
    for line in 0..<1_000 { cart.lines.append("work \(line)") }
    for _ in 0..<1_000 { cart.count += 1 }
  }

  /// The number of lines and the count.
  var sums: [Int] { [cart.lines.count, cart.count] }
}

extension Shop {
  /// Runs both blocks beside the actor's own work, and returns whether each change is there.
  nonisolated static func keepsAll() async -> Bool {
    let shop = Shop()
    await withTaskGroup { group in
      group.addTask { await shop.fill() }
      group.addTask { await shop.count() }
      for _ in 0..<200 { group.addTask { await shop.work() } }
    }
    return await shop.sums == [400_000, 400_000]
  }
}
