/// The customer service whose repository and verifier are given to it.
public struct StandardCustomerService: CustomerLogic {
  /// Where the customers are.
  public let repository: any CustomerRepository
  /// What checks their passwords.
  public let passwords: any PasswordVerifier

  /// The service of a repository and a verifier.
  public init(repository: any CustomerRepository, passwords: any PasswordVerifier) {
    self.repository = repository
    self.passwords = passwords
  }
}
