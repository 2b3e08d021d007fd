import Checkout
import CheckoutWiring

struct Mixed: DependencyMixins.RequiresRepository, DependencyMixins.HasDependencies {
  struct Dependencies: Sendable {
    let repository: any CustomerRepository
  }

  let dependencies: Dependencies
}

#if !WRONG
  extension Mixed.Dependencies: DependencyMixins.RequiresRepository {}
#endif
