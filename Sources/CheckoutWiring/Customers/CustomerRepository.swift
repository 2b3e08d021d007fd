internal import Ambient
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

/// What can happen to a customer whom a repository holds.
public enum CustomerChange: Hashable, Sendable {
  /// They rise to that tier.
  case promotion(to: CustomerTier)
  /// They earn that many points.
  case credit(points: Int)
}

/// A repository that keeps its customers in memory; safe to use from any thread.
public final class MemoryCustomerRepository: CustomerRepository {
  private struct Table {
    var records: [Customer.ID: CustomerRecord] = [:]
    var identities: [String: Customer.ID] = [:]
  }

  private let table = Guarded(Table())

  /// A repository without customers.
  public init() {}

  /// The record of the customer with exactly that name.
  public func record(named name: String) -> CustomerRecord? {
    table.withLock { table in table.identities[name].flatMap { table.records[$0] } }
  }

  /// Keeps a new customer.
  public func add(_ record: CustomerRecord) throws(CustomerError) {
    let customer = record.customer
    try table.withLock { (table) throws(CustomerError) in
      guard table.identities[customer.name] == nil else { throw .nameTaken }
      table.identities[customer.name] = customer.id
      table.records[customer.id] = record
    }
  }

  /// Changes a customer.
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
