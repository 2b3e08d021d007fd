import Checkout
import CheckoutWiring

final class Object: Sendable {}
struct Value: Sendable {}

func weak() {
  #if !WRONG
    _ = Container().register(Object.self, weak: { _ in Object() }, as: { $0 })
  #else
    _ = Container().register(Value.self, weak: { _ in Value() }, as: { $0 })
  #endif
}
