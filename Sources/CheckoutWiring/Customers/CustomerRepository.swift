// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A repository of customers. It is the lowest of the three levels of services that every style of
/// wiring connects.
public protocol CustomerRepository: Sendable {
  /// The record of the customer called `name`, or nil if there is none. Names are compared by
  /// ``CustomerName/folded(_:)``.
  ///
  /// - Parameter name: The name, as written or folded.
  /// - Throws: ``CustomerError/repository(_:)`` if the repository cannot be reached.
  func record(named name: String) async throws(CustomerError) -> CustomerRecord?

  /// Stores a new customer.
  ///
  /// - Parameter record: The customer and the hash of the password. No other customer may have the
  ///   same folded name.
  /// - Throws: ``CustomerError/nameTaken``, or ``CustomerError/repository(_:)``.
  func add(_ record: CustomerRecord) async throws(CustomerError)

  /// Replaces the stored hash of a customer's password, if it still equals `old`.
  ///
  /// - Parameters:
  ///   - old: The hash that was read; nothing happens if the stored hash has changed since then.
  ///   - new: The hash to store.
  ///   - id: The identity of the customer.
  /// - Throws: ``CustomerError/unknownCustomer(_:)`` or ``CustomerError/repository(_:)``.
  func replace(
    _ old: PasswordHash, with new: PasswordHash, of id: Customer.ID
  ) async throws(CustomerError)

  /// Changes a customer atomically, and returns the changed customer.
  ///
  /// - Parameters:
  ///   - change: The change, applied to the customer as stored at that moment.
  ///   - id: The identity of the customer.
  /// - Throws: ``CustomerError/unknownCustomer(_:)``, the errors of ``Customer/applying(_:)``, or
  ///   ``CustomerError/repository(_:)``.
  func apply(
    _ change: CustomerChange, to id: Customer.ID
  ) async throws(CustomerError) -> Customer
}

/// The record of a customer in a repository.
public struct CustomerRecord: Hashable, Sendable, Codable {
  /// The customer.
  public var customer: Customer
  /// The stored hash of the password.
  public var password: PasswordHash

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - customer: The customer to whom the record belongs.
  ///   - password: The hash of their password, never the password.
  public init(customer: Customer, password: PasswordHash) {
    self.customer = customer
    self.password = password
  }
}

/// A change to a customer's record.
public enum CustomerChange: Hashable, Sendable {
  /// The customer rises to a higher tier.
  case promotion(to: CustomerTier)
  /// The customer earns points.
  case credit(points: Int)
}

/// A repository that keeps its customers in memory; safe to use from any thread.
public final class MemoryCustomerRepository: CustomerRepository {
  private struct Table {
    var records: [Customer.ID: CustomerRecord] = [:]
    /// The customers' identities, by folded name.
    var identities: [String: Customer.ID] = [:]
  }

  private let table = Guarded(Table())

  /// Creates a repository without customers.
  public init() {}

  /// The record of the customer called `name`.
  ///
  /// - Parameter name: The name, as written or folded.
  /// - Returns: The customer and the hash; nil if no customer has that name.
  public func record(named name: String) -> CustomerRecord? {
    guard let name = CustomerName.folded(name) else { return nil }
    return table.withLock { table in table.identities[name].flatMap { table.records[$0] } }
  }

  /// Stores a new customer.
  ///
  /// - Parameter record: The customer and the hash of the password.
  /// - Throws: ``CustomerError/nameTaken`` if another customer has the same folded name, or
  ///   `CustomerError.emptyName` if the name cannot be folded.
  public func add(_ record: CustomerRecord) throws(CustomerError) {
    let customer = record.customer
    guard let name = CustomerName.folded(customer.name) else { throw .emptyName }
    try table.withLock { (table) throws(CustomerError) in
      guard table.identities[name] == nil else { throw .nameTaken }
      table.identities[name] = customer.id
      table.records[customer.id] = record
    }
  }

  /// Replaces the stored hash, if it still equals `old`.
  ///
  /// - Parameters:
  ///   - old: The hash that was read; nothing happens if the stored hash has changed since then.
  ///   - new: The hash to store.
  ///   - id: The identity of the customer.
  /// - Throws: ``CustomerError/unknownCustomer(_:)``.
  public func replace(
    _ old: PasswordHash, with new: PasswordHash, of id: Customer.ID
  ) throws(CustomerError) {
    try table.withLock { (table) throws(CustomerError) in
      guard let kept = table.records[id]?.password else { throw .unknownCustomer(id) }
      if kept == old { table.records[id]?.password = new }
    }
  }

  /// Changes a customer.
  ///
  /// - Parameters:
  ///   - change: The change, applied to the customer as stored at that moment.
  ///   - id: The identity of the customer.
  /// - Returns: The customer as stored after the change.
  /// - Throws: ``CustomerError/unknownCustomer(_:)``, or the errors of ``Customer/applying(_:)``.
  public func apply(
    _ change: CustomerChange, to id: Customer.ID
  ) throws(CustomerError) -> Customer {
    try table.withLock { (table) throws(CustomerError) in
      guard var record = table.records[id] else { throw .unknownCustomer(id) }
      record.customer = try record.customer.applying(change)
      table.records[id] = record
      return record.customer
    }
  }
}
