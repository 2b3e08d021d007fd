internal import Ambient

/// What a customer service does, for a type that says where its repository and its verifier are.
///
/// Checking a password is meant to be slow: tens of milliseconds of the calling thread.
public protocol CustomerLogic: CustomerService {
  /// Where the customers are.
  var repository: any CustomerRepository { get }
  /// What checks their passwords.
  var passwords: any PasswordVerifier { get }
}

extension CustomerLogic {
  /// Registers a customer, logged and tracked by identity only.
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

  /// Lets a customer in; checks a password even if nobody has the name.
  public func authenticate(
    name: String, password: String
  ) async throws(CustomerError) -> Customer {
    let record = try await repository.record(named: name)
    let matches = passwords.verify(password, against: record?.password ?? passwords.decoy)
    guard let record, matches else {
      Log.notice("sign-in refused")
      throw .notAuthenticated
    }
    Log.info("customer signed in", ["customer": record.customer.id])
    Analytics.track(.login)
    return record.customer
  }

  /// Raises a customer to a higher tier.
  public func promote(
    _ id: Customer.ID, to tier: CustomerTier
  ) async throws(CustomerError) -> Customer {
    let customer = try await repository.apply(.promotion(to: tier), to: id)
    Log.info("customer promoted", ["customer": id, "tier": tier.rawValue])
    Analytics.track(.levelUp(tier))
    return customer
  }

  /// Credits points to a customer.
  public func credit(
    _ points: Int, to id: Customer.ID
  ) async throws(CustomerError) -> Customer {
    let customer = try await repository.apply(.credit(points: points), to: id)
    Log.info("points credited", ["customer": id, "points": points])
    return customer
  }
}
