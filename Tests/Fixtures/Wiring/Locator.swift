import CheckoutWiring

func locator() throws {
  #if WRONG
    // That a repository is missing is found when the service is asked for.
    let container = Container().register(RewardsFactory())
  #else
    let container = Container.standard(MemoryCustomerRepository())
  #endif
  let _: any RewardsService = try container.resolve()
}
