import CheckoutWiring

struct Register: RequiresCustomerRepository {}

#if !WRONG
  let theRepository = MemoryCustomerRepository()

  extension RequiresCustomerRepository {
    var customerRepository: any CustomerRepository { theRepository }
  }
#endif
