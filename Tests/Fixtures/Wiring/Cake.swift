import Checkout
import CheckoutWiring

#if WRONG
  protocol Components: Cake.RepositoryComponent, Cake.CustomersComponent {}
#else
  protocol Components: Cake.RepositoryComponent, Cake.PasswordsComponent, Cake.CustomersComponent {}
#endif

enum Whole: Components {
  static let repository = createRepository()
  static let passwords = createPasswords()
  static let customers = createCustomers()

  static func createRepository() -> any CustomerRepository { MemoryCustomerRepository() }
  static func createPasswords() -> any PasswordVerifier { SystemPasswordVerifier() }
}
