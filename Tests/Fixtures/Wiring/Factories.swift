import CheckoutWiring

struct BranchFactory: ShopFactory {
  let branch: any CustomerRepository

  #if WRONG
    func makeRepositry() -> any CustomerRepository { branch }
  #else
    func makeRepository() -> any CustomerRepository { branch }
  #endif
}
