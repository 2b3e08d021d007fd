import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

// The answers of this module, in the place of those of the application.

private enum Answers {
  static let ada = Result { try OneCustomer() }
  static let container = Container().register((any CustomerService).self, .once) { _ in
    OneCustomerService(repository: try ada.get())
  }
  private static let context = AmbientContext<any BasketStore>("Stores") { MemoryBasketStore() }
  static var store: any BasketStore {
    get { context.instance }
    set { context.instance = newValue }
  }
}

extension RequiresCustomerRepository {
  fileprivate var customerRepository: any CustomerRepository {
    (try? Answers.ada.get()) ?? MemoryCustomerRepository()
  }
}

extension RequiresCustomerService {
  fileprivate var customerService: any CustomerService {
    do { return try Answers.container.resolve() } catch { fatalError("\(error)") }
  }
}

private protocol RequiresStore {
  var store: any BasketStore { get }
}

extension RequiresStore {
  var store: any BasketStore { Answers.store }
}

/// First a class under its plain name; then that name is a protocol's.
private enum FirstStep {
  final class Greeter: Sendable {
    func greet(_ name: String) -> String { "Hello, \(name)!" }
  }
  struct Door: RequiresFirstGreeter {
    func open(for name: String) -> String { greeter.greet(name) }
  }
}

private protocol RequiresFirstGreeter {}

extension RequiresFirstGreeter {
  var greeter: FirstStep.Greeter { FirstStep.Greeter() }
}

private protocol Greeter: Sendable {
  func greet(_ name: String) -> String
}

private struct StandardGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

private protocol RequiresGreeter {
  var greeter: any Greeter { get }
}

extension RequiresGreeter {
  var greeter: any Greeter { StandardGreeter() }
}

extension RequiresGreeter {
  func open(for name: String) -> String { greeter.greet(name) }
}

private struct Door: RequiresGreeter {}

@Suite(.isolatedAmbients) struct `A dependency mixin` {
  init() { Log.instance = NoLog() }

  @Test func `is answered by the application for its own types`() async throws {
    let rewards = RequiringRewardsService()
    let name = "Ada of the mixins"
    let ada = try await rewards.customers.register(name: name, password: "1")
    #expect(try await rewards.buildTeam(leader: ada.id).leader == ada.id)
    #expect(try await rewards.customers.authenticate(name: name, password: "1").tier == .silver)
  }

  @Test func `is answered by another extension in another module, as this one`() async throws {
    struct Register: RequiresCustomerRepository {}
    let record = try await Register().customerRepository.record(named: "Ada")
    #expect(try record?.customer == Answers.ada.get().customer)
  }

  @Test func `is answered by a property of the type that has one`() async throws {
    struct Register: RequiresCustomerRepository {
      let customerRepository: any CustomerRepository
    }
    let other = MemoryCustomerRepository()
    #expect(
      try await Register(customerRepository: other).customerRepository.record(named: "Ada") == nil)
  }

  @Test func `is answered through dependencies, which stay out of the names of the type`()
    async throws
  {
    struct Doorkeeper {
      struct Dependencies: RequiresCustomerRepository, RequiresLog {}
      let dependencies = Dependencies()
    }
    let log = LogRecorder()
    Log.instance = log
    let doorkeeper = Doorkeeper()
    doorkeeper.dependencies.log.info("open")
    #expect(log.records.map(\.message) == ["open"])
    let record = try await doorkeeper.dependencies.customerRepository.record(named: "Ada")
    #expect(record != nil)
    #expect(Mirror(reflecting: doorkeeper).children.map(\.label) == ["dependencies"])
  }

  @Test func `is answered by a locator`() async throws {
    struct Till: RequiresCustomerService {}
    let ada = try await Till().customerService.authenticate(name: "Ada", password: "any")
    #expect(try ada == Answers.ada.get().customer)
  }

  @Test func `is answered by what was set`() throws {
    struct Page: RequiresStore {}
    let (page, store) = (Page(), MemoryBasketStore(Basket()))
    #expect(try page.store.load() == nil)
    Answers.store = store
    #expect(try page.store.load() == store.load())
  }

  @Test func `is adopted step by step: who uses it stays as it was`() {
    struct Shouting: Greeter {
      func greet(_ name: String) -> String { "HELLO, \(name)!" }
    }
    #expect(FirstStep.Door().open(for: "Ada") == "Hello, Ada!")
    #expect(Door().open(for: "Ada") == "Hello, Ada!")
    struct TestDoor: RequiresGreeter {
      let greeter: any Greeter = Shouting()
    }
    #expect(TestDoor().open(for: "Ada") == "HELLO, Ada!")
  }

  @Test func `gives everybody's answer to a type whose own is misspelt`() throws {
    struct Register: RequiresCustomerRepository {
      let costumerRepository: any CustomerRepository
    }
    let register = Register(costumerRepository: MemoryCustomerRepository())
    #expect(register.customerRepository is OneCustomer)
  }
}
