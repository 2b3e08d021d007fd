import Checkout
import CheckoutWiring

func method(
  repository: any CustomerRepository, passwords: any PasswordVerifier
) async throws -> Customer {
  #if WRONG
    try await MethodInjection.authenticate(name: "", password: "", in: repository)
  #else
    try await MethodInjection.authenticate(
      name: "", password: "", in: repository, checkedBy: passwords)
  #endif
}
