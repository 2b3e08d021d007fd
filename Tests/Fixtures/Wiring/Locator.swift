import Checkout
import CheckoutWiring

struct Value: Sendable {}

func locator() throws {
  let container = Container().register(Value.self) { (_, count: Int) in Value() }
  #if WRONG
    // Neither the missing service nor the wrong argument is found before they are asked for.
    let _: any CustomerService = try container.resolve()
    _ = try container.resolve(Value.self, with: "one")
  #else
    _ = try container.resolve(Value.self, with: 1)
  #endif
}
