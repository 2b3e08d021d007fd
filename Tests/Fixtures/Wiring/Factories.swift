import Checkout
import CheckoutWiring

struct Factory: Factories.ShopFactory {
  let standard: Factories.StandardFactory

  func makeClient() -> BasketClient { standard.makeClient() }
  func makePasswords() -> any PasswordVerifier { standard.makePasswords() }
  #if !WRONG
    func makeRepository() -> any CustomerRepository { standard.makeRepository() }
  #endif
}
