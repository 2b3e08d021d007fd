import CheckoutWiring

struct RewardsServiceForTest: MinimalRewardsService {
  #if WRONG
    let costumerService: any CustomerService
  #else
    let customerService: any CustomerService
  #endif
}
