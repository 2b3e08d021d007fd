import Checkout
import CheckoutWiring

func initializer(
  repository: any CustomerRepository, passwords: any PasswordVerifier
) -> StandardCustomerService {
  #if WRONG
    StandardCustomerService(repository: repository)
  #else
    StandardCustomerService(repository: repository, passwords: passwords)
  #endif
}
