// SPDX-License-Identifier: Apache-2.0

import CheckoutWiring

/// A verifier that lets everybody in.
struct OpenDoor: PasswordVerifier {
  var decoy: PasswordHash { PasswordHash(rawValue: "") }
  func hash(_ password: String) -> PasswordHash { decoy }
  func verify(_ password: String, against hash: PasswordHash) -> Bool { true }
  func isWeak(_ hash: PasswordHash) -> Bool { false }
}

/// A repository that holds one customer, who enters with any password at an open door, and counts
/// how often it is asked to change them.
final class OneCustomer: CustomerRepository {
  let customer: Customer
  private let changed = Counter()

  init() throws { customer = try Customer(name: "Ada") }

  var changes: Int { changed.value }

  func record(named name: String) -> CustomerRecord? {
    CustomerRecord(customer: customer, password: PasswordHash(rawValue: ""))
  }

  func add(_ record: CustomerRecord) throws(CustomerError) { throw .nameTaken }

  func replace(_ old: PasswordHash, with new: PasswordHash, of id: Customer.ID) {}

  func apply(_ change: CustomerChange, to id: Customer.ID) throws(CustomerError) -> Customer {
    changed.next()
    return try customer.applying(change)
  }
}

/// A customer service of one customer, who is who they say they are.
struct OneCustomerService: CustomerLogic {
  let repository: any CustomerRepository
  let passwords: any PasswordVerifier = OpenDoor()
}
