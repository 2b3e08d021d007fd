import Ambient
import Foundation

// Blocks that await a method of an object that is not Sendable. In plain Swift 6 such a method
// leaves its caller, so the compiler refuses each: “sending 'cart' risks causing data races”. With
// NonisolatedNonsendingByDefault each compiles. Below that, the ways out compile in both modes.

final class Cart {
  var lines = 0
  func add() async { lines += 1 }
  nonisolated(nonsending) func put() async { lines += 1 }
}

let date = Date(timeIntervalSinceReferenceDate: 0)

func inFunction() async throws {
  let cart = Cart()
  await Time.freeze(at: date) {
    await cart.add()  // refused
  }
  await Log.withMetadata(["cart": 1]) {
    await cart.add()  // refused
  }
  await AmbientScope.isolated {
    await cart.add()  // refused
  }
  await AmbientScope.capture().run {
    await cart.add()  // refused
  }
  await Time.hold {
    await cart.add()  // refused
  }
  try await Time.timeout(after: .seconds(1)) {
    await cart.add()  // refused
  }
}

@MainActor final class Model {
  let cart = Cart()

  func fill() async {
    await Log.withInstance(NoLog()) {
      await cart.add()  // refused
    }
  }
}

actor Shop {
  let cart = Cart()

  func fill() async {
    await Analytics.withInstance(NoAnalytics()) {
      await cart.add()  // refused
    }
  }

  func track() async {
    let cart = cart
    await Analytics.withUser("ada") {
      await cart.add()  // refused
    }
  }
}

func waysOut() async {
  // The object is made in the block.
  await Time.freeze(at: date) {
    let cart = Cart()
    await cart.add()
  }
  // The method stays on its caller.
  let cart = Cart()
  await Time.freeze(at: date) { await cart.put() }
  // The block leaves its caller, too.
  let other = Cart()
  await Time.freeze(at: date) { @concurrent in await other.add() }
}
