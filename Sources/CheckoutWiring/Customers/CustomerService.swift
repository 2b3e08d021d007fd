// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// Registers customers, signs them in and promotes them. This service is the middle one of three
/// levels, between `CustomerRepository` and `RewardsService`.
public protocol CustomerService: Sendable {
  /// Registers a customer.
  ///
  /// - Parameters:
  ///   - name: The name by which the customer signs in; no two customers have equal names.
  ///   - password: The password, of which only a hash is stored.
  /// - Returns: The new customer, with the lowest tier and no points.
  /// - Throws: ``CustomerError/nameTaken``, the errors of ``Customer/init(name:)``, or
  ///   ``CustomerError/password(_:)``.
  func register(name: String, password: String) async throws(CustomerError) -> Customer

  /// Signs a customer in.
  ///
  /// - Parameters:
  ///   - name: The name, in any form that is equal to the registered one.
  ///   - password: The guess at the password.
  /// - Throws: ``CustomerError/notAuthenticated`` for an unknown name or a wrong password, with the
  ///   same amount of work for both.
  func authenticate(name: String, password: String) async throws(CustomerError) -> Customer

  /// Promotes a customer to a higher tier.
  ///
  /// - Parameters:
  ///   - id: The identity of the customer.
  ///   - tier: The tier, above the customer's present one.
  /// - Returns: The promoted customer, as stored.
  /// - Throws: ``CustomerError/unknownCustomer(_:)`` or ``CustomerError/notAPromotion(from:to:)``.
  func promote(_ id: Customer.ID, to tier: CustomerTier) async throws(CustomerError) -> Customer

  /// Credits points, one or more, to a customer.
  ///
  /// - Parameters:
  ///   - points: The points to add.
  ///   - id: The identity of the customer.
  /// - Returns: The customer as stored, with an unchanged tier.
  /// - Throws: ``CustomerError/unknownCustomer(_:)`` or ``CustomerError/wrongPoints(_:)``.
  func credit(_ points: Int, to id: Customer.ID) async throws(CustomerError) -> Customer
}

/// The logic of a customer service, for a type that supplies its repository and its verifier.
///
/// Checking a password is slow on purpose: it occupies the calling thread for tens of milliseconds.
public protocol CustomerLogic: CustomerService {
  /// The repository of the customers.
  var repository: any CustomerRepository { get }
  /// The verifier of the customers' passwords.
  var passwords: any PasswordVerifier { get }
}

extension CustomerLogic {
  /// Registers a customer. The log names the customer by identity only, and the event names no
  /// customer.
  ///
  /// - Parameters:
  ///   - name: The name by which the customer signs in; no two customers have equal names.
  ///   - password: The password, of which only a hash is stored.
  /// - Returns: The new customer, with the lowest tier and no points.
  /// - Throws: ``CustomerError/nameTaken``, the errors of ``Customer/init(name:)``,
  ///   ``CustomerError/password(_:)`` or ``CustomerError/repository(_:)``.
  public func register(name: String, password: String) async throws(CustomerError) -> Customer {
    let customer = try Customer(name: name)
    let hash: PasswordHash
    do throws(PasswordError) { hash = try passwords.hash(password) } catch {
      throw .password(error)
    }
    try await repository.add(CustomerRecord(customer: customer, password: hash))
    Log.info("customer registered", ["customer": customer.id])
    Analytics.track(.signUp)
    return customer
  }

  /// Signs a customer in.
  ///
  /// For an unknown name, the guess is checked against a decoy hash, so that the check takes as
  /// long as for a known name. After a successful sign-in, a weak hash is replaced.
  ///
  /// - Parameters:
  ///   - name: The name, in any form that is equal to the registered one.
  ///   - password: The guess at the password.
  /// - Returns: The customer to whom the name and the password belong.
  /// - Throws: ``CustomerError/notAuthenticated`` or ``CustomerError/repository(_:)``.
  public func authenticate(name: String, password: String) async throws(CustomerError) -> Customer {
    let name = CustomerName.folded(name) ?? ""  // a name that no customer has
    let record = try await repository.record(named: name)
    let matches = passwords.verify(password, against: record?.password ?? passwords.decoy)
    guard let record, matches else {
      Log.notice("sign-in refused")
      throw .notAuthenticated
    }
    if passwords.isWeak(record.password) { await renew(record, password) }
    Log.info("customer signed in", ["customer": record.customer.id])
    Analytics.track(.login)
    return record.customer
  }

  /// Replaces a weak hash by a new one. That needs the password, which is known only during a
  /// sign-in. A failure is logged, and the sign-in succeeds anyway.
  private func renew(_ record: CustomerRecord, _ password: String) async {
    let id = record.customer.id
    do {
      let hash = try passwords.hash(password)
      try await repository.replace(record.password, with: hash, of: id)
      Log.info("password rehashed", ["customer": id])
    } catch {
      Log.warning("password not rehashed", ["customer": id])
    }
  }

  /// Promotes a customer to a higher tier.
  ///
  /// - Parameters:
  ///   - id: The identity of the customer.
  ///   - tier: The tier, above the customer's present one.
  /// - Returns: The promoted customer, as stored.
  /// - Throws: ``CustomerError/unknownCustomer(_:)``, ``CustomerError/notAPromotion(from:to:)`` or
  ///   ``CustomerError/repository(_:)``.
  public func promote(
    _ id: Customer.ID, to tier: CustomerTier
  ) async throws(CustomerError) -> Customer {
    let customer = try await repository.apply(.promotion(to: tier), to: id)
    Log.info("customer promoted", ["customer": id, "tier": tier.rawValue])
    Analytics.track(.levelUp(tier))
    return customer
  }

  /// Credits points to a customer.
  ///
  /// - Parameters:
  ///   - points: The points to add, one or more.
  ///   - id: The identity of the customer.
  /// - Returns: The customer as stored, with an unchanged tier.
  /// - Throws: ``CustomerError/unknownCustomer(_:)``, ``CustomerError/wrongPoints(_:)`` or
  ///   ``CustomerError/repository(_:)``.
  public func credit(
    _ points: Int, to id: Customer.ID
  ) async throws(CustomerError) -> Customer {
    let customer = try await repository.apply(.credit(points: points), to: id)
    Log.info("points credited", ["customer": id, "points": points])
    return customer
  }
}

/// The standard events of signing up, signing in and rising to a tier, without the customer's
/// identity.
extension Event {
  /// A customer registered with a password.
  public static let signUp = Event("sign_up", ["method": "password"])

  /// A customer signed in with a password.
  public static let login = Event("login", ["method": "password"])

  /// Creates the event that a customer rose to a tier.
  ///
  /// - Parameter tier: The customer's new tier.
  public static func levelUp(_ tier: CustomerTier) -> Event {
    Event("level_up", ["tier": tier.rawValue])
  }
}
