// Dependency mixins, and the answers that an application may give to what they require.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring

enum Application {
  static let repository = MemoryCustomerRepository()
}

// snippet.mixin
extension RequiresCustomerRepository {  // the application, once
  var customerRepository: any CustomerRepository { Application.repository }
}

struct Register: RequiresCustomerRepository {  // whoever needs it
  func knows(_ name: String) async throws -> Bool {
    try await customerRepository.record(named: name) != nil
  }
}
// snippet.end

// snippet.mixin-nested
struct Doorkeeper {
  private struct Dependencies: RequiresCustomerRepository, RequiresLog {}
  private let dependencies = Dependencies()

  func lets(_ name: String) async throws -> Bool {
    dependencies.log.info("somebody asks to be let in")
    return try await dependencies.customerRepository.record(named: name) != nil
  }
}
// snippet.end

// snippet.mixin-locator
enum Services {
  static let container = Container.standard(Application.repository)
}

extension RequiresCustomerService {
  var customerService: any CustomerService {
    do { return try Services.container.resolve() } catch { fatalError("\(error)") }
  }
}
// snippet.end

// snippet.mixin-set
protocol RequiresStore {
  var store: any BasketStore { get }
}

enum Stores {
  private static let context = AmbientContext<any BasketStore>("Stores") { MemoryBasketStore() }

  static var instance: any BasketStore {
    get { context.instance }
    set { context.instance = newValue }  // by the application, at its start
  }
}

extension RequiresStore {
  var store: any BasketStore { Stores.instance }
}
// snippet.end

// snippet.mixin-class
final class Greeter: Sendable {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

protocol RequiresGreeter {}

extension RequiresGreeter {
  var greeter: Greeter { Greeter() }
}

struct Door: RequiresGreeter {
  func open(for name: String) -> String { greeter.greet(name) }
}
// snippet.end
