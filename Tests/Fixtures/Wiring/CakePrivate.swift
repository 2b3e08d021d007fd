import CheckoutWiring

enum Whole: StaticRepositoryComponent {
  #if WRONG
    static let repository: any CustomerRepository = StaticRepository()
  #else
    static let repository = createRepository()
  #endif
}
