import CheckoutWiring

func initializer(customers: any CustomerService) -> StandardRewardsService {
  #if WRONG
    StandardRewardsService()
  #else
    StandardRewardsService(customers: customers)
  #endif
}
