// SPDX-License-Identifier: Apache-2.0

// Property injection: a framework makes the object, by an initializer that is not yours, so its
// services are assigned to its properties afterwards.
//
// ```swift
// var screen = MemberScreen()  // made by a framework
// screen.inject(customers: root.customers, rewards: root.rewards)
// try screen.appear()
// let adasTeam = try await screen.foundTeam(name: "Ada", password: "open sesame")
// ```
//
// This style is right where a framework makes your objects: screens, decoded values, parsed
// commands. The style fails at run time: the compiler does not see that nothing was assigned. So
// the variables are private, and one method assigns all of them, so that the compiler reports a
// missing argument. `appear()`, the first call of the framework, checks that they were assigned.
// The style is wrong where you could have passed an argument to an initializer.

public import Ambient

/// A screen on which a member signs in and founds a team; a framework makes it by `init()`.
public struct MemberScreen: Sendable {
  // These properties are implicitly unwrapped, because they are assigned before the screen is used.
  // They have no default. With a default, a screen without injection would use the real services,
  // for example those of a company's database. The properties are private, so only `inject` can
  // assign them, and it never assigns nil.
  private var customers: (any CustomerService)!
  private var rewards: (any RewardsService)!

  /// The text that welcomes a member.
  ///
  /// The default is local: it comes with the screen and needs no other service, so no harm is done
  /// if no other text is assigned.
  public var greeting: @Sendable (Customer) -> String = { "Welcome, \($0.name)!" }

  /// Creates a screen that lacks its services.
  public init() {}

  /// Assigns all services that have no default. Only this method can assign them, so none of them
  /// is forgotten.
  ///
  /// - Parameters:
  ///   - customers: The service that signs members in.
  ///   - rewards: The service that makes teams.
  public mutating func inject(customers: any CustomerService, rewards: any RewardsService) {
    self.customers = customers
    self.rewards = rewards
  }

  /// Checks that all services were assigned. The framework calls this method when it shows the
  /// screen.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for the error.
  ///   - line: The line of the call, for the error.
  /// - Throws: ``InjectionError`` with the missing services. Without this check, the first tap on a
  ///   button would stop the program without naming the missing services.
  public func appear(fileID: String = #fileID, line: UInt = #line) throws(InjectionError) {
    guard customers != nil, rewards != nil else {
      throw InjectionError(
        Self.self, missing: "customers", "rewards", fileID: fileID, line: line)
    }
  }

  /// Signs a member in and makes the member the leader of a team.
  ///
  /// - Parameters:
  ///   - name: The name by which the member signs in.
  ///   - password: The member's password.
  /// - Returns: The team, which consists of its leader.
  /// - Throws: ``CustomerError`` or ``RewardsError``.
  public func foundTeam(name: String, password: String) async throws -> CustomerGroup {
    let member = try await customers.authenticate(name: name, password: password)
    return try await rewards.buildTeam(leader: member.id)
  }
}

/// The error of an object that was used before its properties were assigned.
public struct InjectionError: DescribedError, Hashable {
  /// The type that was used.
  public let type: String
  /// The names of its properties that are not assigned.
  public let missing: [String]
  /// The place of the use.
  public let place: SourcePlace

  /// Creates the error.
  ///
  /// - Parameters:
  ///   - type: The type that was used.
  ///   - missing: The names of its properties that are not assigned.
  ///   - fileID: The file of the use.
  ///   - line: The line of the use.
  public init(
    _ type: Any.Type, missing: String..., fileID: String = #fileID, line: UInt = #line
  ) {
    self.type = "\(type)"
    self.missing = missing
    place = SourcePlace(fileID: fileID, line: line)
  }

  /// The missing services, the place, and advice.
  public var description: String {
    "\(type) is used at \(place) without its “\(missing.joined(separator: "” and “"))”; "
      + "call inject right after creating it"
  }
}
