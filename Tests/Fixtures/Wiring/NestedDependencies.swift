import CheckoutWiring

struct Doorkeeper {
  struct Dependencies: RequiresCustomerRepository {
    let customerRepository: any CustomerRepository
  }

  let dependencies: Dependencies
}

func nested(register: Doorkeeper) {
  #if WRONG
    _ = register.customerRepository
  #else
    _ = register.dependencies.customerRepository
  #endif
}
