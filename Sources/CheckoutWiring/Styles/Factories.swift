// SPDX-License-Identifier: Apache-2.0

// Factories: a protocol with a `make…` method for each service. Code that makes services while the
// program runs is given a factory, and does not know which types it gets.
//
// ```swift
// let factory: any ShopFactory = MemoryShopFactory()
// let member = try await factory.makeCustomers().register(name: "Ada", password: "open sesame")
// let memberTeam = try await factory.makeRewards().buildTeam(leader: member.id)
// ```
//
// This style is right where services are made while the program runs and must fit each other, for
// example all in memory, or all for one branch of a shop. A test writes a factory that makes one
// service differently. If a factory lacks a method without a default, the compiler reports an
// error. The compiler does not see a misspelt method that was meant to replace a default, nor a
// method that makes a new service at each call where it should return a shared one. The style is
// wrong for a handful of services that are made once.

/// Makes services that fit each other, for example all in memory.
public protocol ShopFactory: Sendable {
  /// Returns the repository of customers. Each call returns the same repository, because the
  /// services share it.
  func makeRepository() -> any CustomerRepository
  /// Makes a verifier of passwords.
  func makePasswords() -> any PasswordVerifier
  /// Makes a customer service.
  func makeCustomers() -> any CustomerService
  /// Makes a rewards service.
  func makeRewards() -> any RewardsService
}

/// The default services. Each method calls the other methods for the services that it needs, so a
/// factory that overrides one method changes all services that depend on it.
extension ShopFactory {
  /// Makes the system's verifier.
  public func makePasswords() -> any PasswordVerifier { SystemPasswordVerifier() }

  /// Makes the standard customer service, which uses this factory's repository and verifier.
  public func makeCustomers() -> any CustomerService {
    StandardCustomerService(repository: makeRepository(), passwords: makePasswords())
  }

  /// Makes the standard rewards service, which uses this factory's customer service.
  public func makeRewards() -> any RewardsService {
    StandardRewardsService(customers: makeCustomers())
  }
}

/// A factory whose services keep their customers in memory.
public struct MemoryShopFactory: ShopFactory {
  private let repository = MemoryCustomerRepository()

  /// Creates a factory without customers.
  public init() {}

  /// Returns this factory's repository.
  public func makeRepository() -> any CustomerRepository { repository }
}
