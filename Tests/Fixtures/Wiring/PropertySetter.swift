import CheckoutWiring

func property(
  screen: inout MemberScreen, customers: any CustomerService, rewards: any RewardsService
) {
  #if WRONG
    screen.inject(customers: customers)
  #else
    screen.inject(customers: customers, rewards: rewards)
  #endif
}
