/// Registers customers, lets them in and raises them: the middle of the three levels.
public protocol CustomerService: Sendable {
  /// Registers a customer.
  ///
  /// - Throws: ``CustomerError/emptyName``, ``CustomerError/nameTaken`` or
  ///   ``CustomerError/password(_:)``.
  func register(name: String, password: String) async throws(CustomerError) -> Customer

  /// Lets a customer in.
  ///
  /// - Throws: ``CustomerError/notAuthenticated``, for an unknown name as for a wrong password,
  ///   after about the same work.
  func authenticate(name: String, password: String) async throws(CustomerError) -> Customer

  /// Raises a customer to a higher tier.
  ///
  /// - Throws: ``CustomerError/unknownCustomer(_:)`` or ``CustomerError/notAPromotion(from:to:)``.
  func promote(_ id: Customer.ID, to tier: CustomerTier) async throws(CustomerError) -> Customer

  /// Credits points, one or more, to a customer.
  ///
  /// - Throws: ``CustomerError/unknownCustomer(_:)`` or ``CustomerError/wrongPoints(_:)``.
  func credit(_ points: Int, to id: Customer.ID) async throws(CustomerError) -> Customer
}
