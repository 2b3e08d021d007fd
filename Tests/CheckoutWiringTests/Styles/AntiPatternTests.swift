// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Anti-patterns and their fixes` {
  let ada: OneCustomer
  let customers: any CustomerService

  init() throws {
    Log.instance = NoLog()
    ada = try OneCustomer()
    customers = OneCustomerService(repository: ada)
  }

  private struct Till {
    let customers: any CustomerService
    func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
      try await customers.credit(points, to: id)
    }
  }

  @Test
  func `a type that makes its own customer service doesn't find the existing customers`()
    async throws
  {
    struct FreakTill {
      func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
        let customers = StandardCustomerService(repository: MemoryCustomerRepository())
        return try await customers.credit(points, to: id)
      }
    }
    let id = ada.customer.id
    await #expect(throws: CustomerError.unknownCustomer(id)) {
      try await FreakTill().credit(7, to: id)
    }
    #expect(try await Till(customers: customers).credit(7, to: id).points == 7)
  }

  @Test
  func `a till created without a store uses CompanyBaskets or MemoryBasketStore by default`() {
    struct BastardTill {
      let store: any BasketStore
      init(store: any BasketStore = CompanyBaskets()) { self.store = store }
    }
    struct Till {
      let store: any BasketStore
      init(store: any BasketStore) { self.store = store }
      init() { self.init(store: MemoryBasketStore()) }
    }
    #expect(BastardTill().store is CompanyBaskets)
    #expect(Till().store is MemoryBasketStore)
  }

  /// The baskets of a company, which no test may change.
  private struct CompanyBaskets: BasketStore {
    func load() -> Basket? { nil }
    func replace(_ old: Basket?, with new: Basket) -> Bool { true }
  }

  @Test
  func `a locator reports a missing dependency only at use, but Container.check() before use`()
    async throws
  {
    struct LocatorTill {
      let container: Container
      func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
        let customers: any CustomerService = try container.resolve()
        return try await customers.credit(points, to: id)
      }
    }
    let id = ada.customer.id
    await #expect(throws: ResolutionError.self) {
      try await LocatorTill(container: Container()).credit(7, to: id)
    }
    let edge = Container().register(Till.self) { Till(customers: try $0.resolve()) }
    #expect(edge.check().map(\.service) == ["CustomerService"])
    let whole = edge.register((any CustomerService).self, customers)
    #expect(whole.check().isEmpty)
    #expect(try await whole.resolve(Till.self).credit(7, to: id).points == 7)
  }
}
