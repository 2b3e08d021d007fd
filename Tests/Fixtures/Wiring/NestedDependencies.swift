import CheckoutWiring

struct Register {
  struct Dependencies: RequiresCustomerRepository {
    let customerRepository: any CustomerRepository
  }

  let dependencies: Dependencies
}

func nested(register: Register) {
  #if WRONG
    _ = register.customerRepository
  #else
    _ = register.dependencies.customerRepository
  #endif
}
