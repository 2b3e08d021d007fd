// SPDX-License-Identifier: Apache-2.0

public import Checkout

/// A shop that requests a service from a container each time it uses the service. A missing service
/// is therefore noticed only when it is used.
public struct LocatorShop: WiredShop {
  private let container: Container

  /// Creates a shop with the container's services.
  ///
  /// - Parameter container: The container, as ``Container/shop(from:)`` makes it.
  public init(_ container: Container) { self.container = container }

  /// The buyer's basket.
  public var client: BasketClient { get throws(WiringError) { try find() } }

  /// The customer service.
  public var customers: any CustomerService { get throws(WiringError) { try find() } }

  /// The rewards service.
  public var rewards: any RewardsService { get throws(WiringError) { try find() } }

  private func find<Service: Sendable>() throws(WiringError) -> Service {
    do throws(ResolutionError) { return try container.resolve() } catch {
      throw .unresolved(error)
    }
  }
}

extension Container {
  /// Creates a container with the parts and services of a shop.
  ///
  /// - Parameter parts: The parts, which are registered as instances.
  /// - Returns: A container with the parts and with the services that use them, each made once.
  public static func shop(from parts: ShopParts) -> Container {
    Container()
      .register((any BasketStore).self, parts.store)
      .register((any BasketService).self, parts.service)
      .register(PriceList.self, parts.prices)
      .register((any CustomerRepository).self, parts.repository)
      .register((any PasswordVerifier).self, parts.passwords)
      .register(BasketClient.self, .once) {
        BasketClient(
          store: try $0.resolve(), service: try $0.resolve(), prices: try $0.resolve())
      }
      .register((any CustomerService).self, .once) {
        StandardCustomerService(repository: try $0.resolve(), passwords: try $0.resolve())
      }
      .register((any RewardsService).self, .once) {
        StandardRewardsService(customers: try $0.resolve())
      }
  }
}
