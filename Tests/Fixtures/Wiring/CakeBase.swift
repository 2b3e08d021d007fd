import CheckoutWiring

#if WRONG
  protocol Component: RepositoryComponent {}
#else
  protocol Component: MemoryRepositoryComponent {}
#endif

enum Whole: Component {
  static let repository = createRepository()
}
