// Property injection: somebody else makes the object, by an initializer that is not yours, so what
// it needs is assigned to its properties afterwards.
//
// ```swift
// var screen = MemberScreen()  // made by a framework
// screen.inject(customers: root.customers, rewards: root.rewards)
// try screen.appear()
// let adasTeam = try await screen.foundTeam(name: "Ada", password: "open sesame")
// ```
//
// Right where a framework makes your objects: screens, decoded values, parsed commands.
// It fails while it runs: the compiler does not see that nothing was assigned. So there is one
// method that assigns everything, whose arguments the compiler counts, and the first sensible use
// checks. It is wrong where you could have passed an argument.

public import Ambient

/// A screen on which a member signs in and founds a team; a framework makes it by `init()`.
public struct MemberScreen: Sendable {
  /// Knows the customers; implicitly unwrapped, as it is there whenever the screen is used.
  ///
  /// It has no default: the real service is foreign, and a screen that was forgotten would reach
  /// it.
  public var customers: (any CustomerService)!
  /// Rewards them; likewise.
  public var rewards: (any RewardsService)!
  /// What the screen says to a member.
  ///
  /// A local default: it comes with the screen and needs nothing else, so it is safe to forget.
  public var greeting: @Sendable (Customer) -> String = { "Welcome, \($0.name)!" }

  /// A screen that lacks its services.
  public init() {}

  /// Assigns all that has no default, so that nothing is forgotten.
  public mutating func inject(customers: any CustomerService, rewards: any RewardsService) {
    self.customers = customers
    self.rewards = rewards
  }

  /// The framework shows the screen: the first moment at which everything must be there.
  ///
  /// - Throws: ``InjectionError`` with what is missing. Without this check, the first tap on a
  ///   button would stop the program, without a word about what is missing.
  public func appear(fileID: String = #fileID, line: UInt = #line) throws(InjectionError) {
    var missing: [String] = []
    if customers == nil { missing.append("customers") }
    if rewards == nil { missing.append("rewards") }
    guard missing.isEmpty else {
      throw InjectionError(
        type: "\(Self.self)", missing: missing, place: SourcePlace(fileID: fileID, line: line))
    }
  }

  /// Lets a member in and makes them the leader of a team.
  ///
  /// - Throws: ``CustomerError`` or ``RewardsError``.
  public func foundTeam(name: String, password: String) async throws -> CustomerGroup {
    let member = try await customers.authenticate(name: name, password: password)
    return try await rewards.buildTeam(leader: member.id)
  }
}

/// Something was used before its properties were assigned.
public struct InjectionError: DescribedError, Hashable {
  /// The type that was used.
  public let type: String
  /// Its properties that hold nothing.
  public let missing: [String]
  /// Where it was used.
  public let place: SourcePlace

  /// Says what is missing, where, and what to do.
  public var description: String {
    "\(type) is used at \(place) without \(missing.joined(separator: " and ")); "
      + "assign all that it needs right after it is made"
  }
}
