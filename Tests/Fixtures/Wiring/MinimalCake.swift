import Checkout
import CheckoutWiring

#if WRONG
  typealias MixIns = MinimalCake.MixInRepository & MinimalCake.MixInCustomers
#else
  typealias MixIns = MinimalCake.MixInRepository & MinimalCake.MixInPasswords
    & MinimalCake.MixInCustomers
#endif

struct Minimal: MixIns {
  let parts: ShopParts
}
