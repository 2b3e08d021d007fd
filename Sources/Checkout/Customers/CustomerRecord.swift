/// What a repository holds of a customer.
public struct CustomerRecord: Hashable, Sendable, Codable {
  /// The customer.
  public var customer: Customer
  /// What the password is checked against.
  public let password: PasswordHash

  /// A record.
  public init(customer: Customer, password: PasswordHash) {
    self.customer = customer
    self.password = password
  }
}
