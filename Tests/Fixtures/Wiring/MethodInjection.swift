import Checkout
import CheckoutWiring

func method(product: Product, store: any BasketStore) throws {
  #if WRONG
    try BranchDesk().add(product)
  #else
    try BranchDesk().add(product, to: store)
  #endif
}
