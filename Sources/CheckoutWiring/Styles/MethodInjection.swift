// SPDX-License-Identifier: Apache-2.0

// Method injection: a call gets its services as arguments, and no object keeps them.
//
// ```swift
// let desk = BranchDesk()
// try desk.add(coffee, to: store)
// let leader = try await desk.authenticate(name: "Ada", password: "open sesame", in: branch)
// let branchTeam = try await desk.buildTeam(leader: leader.id, in: branch)
// ```
//
// This style is right where a service differs from call to call: another buyer's basket, another
// branch's customers. A missing service is an error of the compiler: the call lacks an argument.
// The style is wrong where the service is the same in every call: all callers, up to the top, must
// pass on a service that only the lowest one uses.

public import Checkout

/// A desk that serves every branch of a chain of shops, each of which has customers of its own.
///
/// The desk is a composition root, the place that makes the services, for one call at a time: each
/// call makes the services of the branch, and the desk does not store them.
public struct BranchDesk: Sendable {
  /// Creates a desk, which stores no services.
  public init() {}

  /// Adds one item of a product to the buyer's basket, which is kept in a `BasketStore`.
  ///
  /// - Parameters:
  ///   - product: The product of the branch.
  ///   - store: The store of the buyer's basket, for this call alone.
  /// - Throws: `CheckoutError` if the basket takes no more of the product, or if the
  ///   store cannot save the basket.
  public func add(_ product: Product, to store: any BasketStore) throws(CheckoutError) {
    try store.change { basket throws(CheckoutError) in try basket.add(BasketLine(product.sku)) }
  }

  /// Signs in a customer of a branch.
  ///
  /// - Parameters:
  ///   - name: The name by which the customer signs in.
  ///   - password: The guess.
  ///   - branch: The customers of the branch, for this call alone.
  ///   - passwords: The verifier of their passwords.
  /// - Returns: The customer, who has proved to know the password.
  /// - Throws: ``CustomerError`` for a wrong name or password, or a repository that cannot be
  ///   reached.
  public func authenticate(
    name: String, password: String, in branch: any CustomerRepository,
    checkedBy passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) async throws(CustomerError) -> Customer {
    try await customers(of: branch, checkedBy: passwords)
      .authenticate(name: name, password: password)
  }

  /// Promotes a customer of a branch to a higher tier.
  ///
  /// - Parameters:
  ///   - id: The identity of the customer.
  ///   - tier: The tier, above the customer's present one.
  ///   - branch: The customers of the branch, for this call alone.
  ///   - passwords: The verifier of their passwords. This method only passes the verifier on to the
  ///     customer service.
  /// - Returns: The promoted customer, as stored.
  /// - Throws: ``CustomerError`` for an unknown customer or a tier that isn't a promotion.
  public func promote(
    _ id: Customer.ID, to tier: CustomerTier, in branch: any CustomerRepository,
    checkedBy passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) async throws(CustomerError) -> Customer {
    try await customers(of: branch, checkedBy: passwords).promote(id, to: tier)
  }

  /// Makes one of a branch's customers the leader of a team.
  ///
  /// This method itself uses neither the repository nor the verifier, but must pass them on to the
  /// services below.
  ///
  /// - Parameters:
  ///   - leader: The customer who becomes the leader.
  ///   - branch: The customers of the branch, for this call alone.
  ///   - passwords: The verifier of their passwords, which is only passed on.
  /// - Returns: The team, which the caller must keep.
  /// - Throws: ``RewardsError/customer(_:)`` for a customer that the branch does not know.
  public func buildTeam(
    leader: Customer.ID, in branch: any CustomerRepository,
    checkedBy passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) async throws(RewardsError) -> CustomerGroup {
    let customers = customers(of: branch, checkedBy: passwords)
    return try await StandardRewardsService(customers: customers).buildTeam(leader: leader)
  }

  private func customers(
    of branch: any CustomerRepository, checkedBy passwords: any PasswordVerifier
  ) -> StandardCustomerService {
    StandardCustomerService(repository: branch, passwords: passwords)
  }
}
