import CheckoutWiring

enum Whole: MemoryRepositoryComponent, StandardCustomersComponent {
  static let repository = createRepository()
  #if !WRONG
    static let customers = createCustomers()
  #endif
}
