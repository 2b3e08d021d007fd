// The minimal cake: for each thing an interface `Uses…`, which says that a type needs it, and an
// implementation `MixIn…`. The logic stands in the extension of a service protocol, on what the
// service uses.
//
// ```swift
// let service = MixInRewardsService()
// let max = try await service.customerService.register(name: "Max", password: "open sesame")
// let maxTeam = try await service.buildTeam(leader: max.id)
// ```
//
// Right for a few services that a program makes once, all the same: one call of an initializer
// without arguments, and no place where everything is put together. It fails by not compiling: what
// is missing or misspelt is not a property that the protocol requires. What the compiler does not
// see: each `MixIn…` makes those below it, so two that are made apart share nothing. It is wrong
// where two services need the same one.

internal import Ambient

// MARK: Uses…: what a type needs

/// Needs a repository.
public protocol UsesCustomerRepository {
  /// Where the customers are.
  var customerRepository: any CustomerRepository { get }
}

/// Needs a customer service.
public protocol UsesCustomerService {
  /// What knows the customers.
  var customerService: any CustomerService { get }
}

// MARK: The services: what they do, on what they use

// `promote` and `buildTeam` are those of `CustomerLogic` and `RewardsLogic`, written out here to
// show where this style has its logic: on `Uses…`.

/// A customer service that uses a repository.
public protocol MinimalCustomerService: CustomerLogic, UsesCustomerRepository {}

extension MinimalCustomerService {
  /// Raises a customer to a higher tier.
  public func promote(
    _ id: Customer.ID, to tier: CustomerTier
  ) async throws(CustomerError) -> Customer {
    let customer = try await customerRepository.apply(.promotion(to: tier), to: id)
    Log.info("customer promoted", ["customer": id, "tier": tier.rawValue])
    Analytics.track(.levelUp(tier))
    return customer
  }

  /// The same repository, for what all styles share in ``CustomerLogic``: registering, signing in.
  public var repository: any CustomerRepository { customerRepository }
}

/// A rewards service that uses a customer service.
public protocol MinimalRewardsService: RewardsLogic, UsesCustomerService {}

extension MinimalRewardsService {
  /// Makes a customer, who is promoted to silver if need be, the leader of a team.
  public func buildTeam(leader: Customer.ID) async throws(RewardsError) -> CustomerGroup {
    do throws(CustomerError) {
      _ = try await customerService.promote(leader, to: .silver)
    } catch .notAPromotion {
      // Silver or gold already.
    } catch {
      throw .customer(error)
    }
    return CustomerGroup(leader: leader)
  }

  /// The same customer service, for what all styles share in ``RewardsLogic``: awards.
  public var customers: any CustomerService { customerService }
}

// MARK: MixIn…: the implementations

/// The repository of the program; it needs nothing, so any implementation will do.
public typealias MixInCustomerRepository = MemoryCustomerRepository

/// The customer service of the program.
public final class MixInCustomerService: MinimalCustomerService {
  /// A repository of its own.
  public let customerRepository: any CustomerRepository = MixInCustomerRepository()
  /// The system's verifier.
  public let passwords: any PasswordVerifier = SystemPasswordVerifier()

  /// The service on a repository of its own.
  public init() {}
}

/// The rewards service of the program: to make one is to make all.
///
/// A test writes a type like this one, at whatever level, and leaves one `MixIn…` out: its constant
/// is a double.
public final class MixInRewardsService: MinimalRewardsService {
  /// A customer service of its own.
  public let customerService: any CustomerService = MixInCustomerService()

  /// The service on a customer service of its own.
  public init() {}
}
