public import Foundation

/// Keeps customers: the lowest of the three levels that every style of wiring connects.
public protocol CustomerRepository: Sendable {
  /// The record of the customer with exactly that name, or nil if there is none.
  func record(named name: String) async throws(CustomerError) -> CustomerRecord?

  /// Keeps a new customer.
  ///
  /// - Throws: ``CustomerError/nameTaken``, or ``CustomerError/repository(_:)``.
  func add(_ record: CustomerRecord) async throws(CustomerError)

  /// Changes a customer, with nothing in between, and returns them as they are then.
  ///
  /// - Throws: ``CustomerError/unknownCustomer(_:)``, what ``Customer/applying(_:)`` throws, or
  ///   ``CustomerError/repository(_:)``.
  func apply(
    _ change: CustomerChange, to id: Customer.ID
  ) async throws(CustomerError) -> Customer
}
