import Checkout
import CheckoutWiring

func property(repository: any CustomerRepository, shop: inout PropertyInjection.Shop) {
  var customers = PropertyInjection.Customers()
  customers.repository = repository
  shop.customers = customers
  // Nobody checks that the rewards are about the same customers.
  #if !WRONG
    var rewards = PropertyInjection.Rewards()
    rewards.customers = customers
    shop.rewards = rewards
  #endif
}
