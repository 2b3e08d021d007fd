import CheckoutWiring

#if WRONG
  protocol Components: StandardCustomersComponent {}
#else
  protocol Components: MemoryRepositoryComponent, StandardCustomersComponent {}
#endif

enum Whole: Components {
  #if !WRONG
    static let repository = createRepository()
  #endif
  static let customers = createCustomers()
}
