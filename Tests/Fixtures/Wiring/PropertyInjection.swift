import CheckoutWiring

func property(customers: any CustomerService, rewards: any RewardsService) throws {
  var screen = MemberScreen()
  #if WRONG
    // Only `appear` says that the rewards are missing.
    screen.customers = customers
  #else
    screen.inject(customers: customers, rewards: rewards)
  #endif
  try screen.appear()
}
