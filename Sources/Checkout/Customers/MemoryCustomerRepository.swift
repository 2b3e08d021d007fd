internal import Ambient
public import Foundation

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
