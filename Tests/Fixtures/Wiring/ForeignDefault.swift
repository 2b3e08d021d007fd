import CheckoutWiring

func foreignDefault(repository: any CustomerRepository) -> CompositionRoot {
  #if WRONG
    // The verifier has a local default; the repository may be foreign, and has none.
    CompositionRoot()
  #else
    CompositionRoot(repository: repository)
  #endif
}
