internal import Ambient

/// Services by their types: a container never changes, each registration makes another one.
///
/// ```swift
/// let container = Container()
///   .register((any CustomerRepository).self, MemoryCustomerRepository())
///   .register((any CustomerService).self, .once) { resolver in
///     StandardCustomerService(
///       repository: try resolver.resolve(), passwords: try resolver.resolve())
///   }
/// let customers: any CustomerService = try container.resolve()
/// ```
///
/// Safe to use from any thread. A factory runs on the thread that asks, outside any lock, and no
/// thread waits for another: of two that ask for a ``ServiceLifetime/once`` service at the same
/// time, both may make it, and both get the one that was ready first. What is shared is shared
/// within one container, not with those made from it. Finding what is shared takes constant time.
public final class Container: Resolver {
  /// The registrations of a container, made ready when it is first asked.
  private final class Cells: Sendable {
    let all: [Cell]
    let byKey: [ServiceKey: Cell]

    init(_ registrations: [Registration]) {
      var again: [ServiceKey: SourcePlace] = [:]
      var first: [ServiceKey: Registration] = [:]
      for registration in registrations {
        if first[registration.key] == nil {
          first[registration.key] = registration
        } else if again[registration.key] == nil {
          again[registration.key] = registration.place
        }
      }
      byKey = first.mapValues { Cell($0, again: again[$0.key]) }
      var rest = byKey
      all = registrations.compactMap { rest.removeValue(forKey: $0.key) }
    }
  }

  private let registrations: [Registration]
  private let parent: (any Resolver)?
  private let ready = Guarded<Cells?>(nil)

  /// A container without services of its own.
  ///
  /// - Parameter parent: Asked for what is not registered here. Its factories ask it, and not this
  ///   container, for what they need.
  public convenience init(parent: (any Resolver)? = nil) { self.init([], parent) }

  private init(_ registrations: [Registration], _ parent: (any Resolver)?) {
    self.registrations = registrations
    self.parent = parent
  }

  private var cells: Cells {
    ready.withLock { ready in
      let cells = ready ?? Cells(registrations)
      ready = cells
      return cells
    }
  }

  /// Finds a service, or makes it.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service {
    guard let cell = cell(service, request.name) else {
      let wanted = (service as? any OptionalService.Type)?.wrapped ?? service
      guard let parent else { throw request.error(.missing, wanted) }
      return try parent.resolve(service, request)
    }
    let found = try find(cell, service, request)
    guard let found = found as? Service else {
      throw request.error(.unkept(makes: "\(type(of: found))"), service)
    }
    return found
  }

  /// What would go wrong if each registered service were asked for, in a container like this one.
  ///
  /// Runs every factory that takes no arguments, and keeps nothing of what they make.
  public func check(fileID: String = #fileID, line: UInt = #line) -> [ResolutionError] {
    let copy = Container(registrations, parent)
    let place = SourcePlace(fileID: fileID, line: line)
    return copy.cells.all.compactMap { cell in
      guard cell.registration.arguments.isEmpty || cell.again != nil else { return nil }
      let key = cell.registration.key
      do throws(ResolutionError) {
        let request = ServiceRequest(name: key.name, arguments: [], place: place)
        _ = try copy.find(cell, key.service, request)
        return nil
      } catch {
        return error
      }
    }
  }

  private func cell(_ service: Any.Type, _ name: String?) -> Cell? {
    if let cell = cells.byKey[ServiceKey(service: service, name: name)] { return cell }
    let supporting = cells.all.first {
      $0.registration.key.name == name && $0.registration.supports(service)
    }
    return supporting ?? (service as? any OptionalService.Type).flatMap { cell($0.wrapped, name) }
  }

  private func find(
    _ cell: Cell, _ service: Any.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> any Sendable {
    if let shared = cell.shared, request.arguments.isEmpty { return shared }
    let registration = cell.registration
    if let again = cell.again {
      throw request.error(.registeredTwice(registration.place, again), service)
    }
    let make = try registration.make(request)
    let made = try Making.current.make(cell, service, request) { try make(self) }
    return registration.lifetime == .once ? cell.share(made) : made
  }
}

/// The type of an optional, as a value of which the type of what it may hold can be asked.
private protocol OptionalService {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalService {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Container {
  /// A container that gives out that instance.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil, _ instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    let factory = BasicServiceFactory { _ in instance }
    return register(factory, named: name, .once, fileID: fileID, line: line)
  }

  /// A container that makes the service by a closure.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil,
    _ lifetime: ServiceLifetime = .eachTime, fileID: String = #fileID, line: UInt = #line,
    make: @escaping @Sendable (any Resolver) throws -> Service
  ) -> Container {
    register(BasicServiceFactory(make: make), named: name, lifetime, fileID: fileID, line: line)
  }

  /// A container that makes the service by a factory.
  public func register(
    _ factory: some ServiceFactory, named name: String? = nil,
    _ lifetime: ServiceLifetime = .eachTime, fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    let factory = AnyServiceFactory(factory)
    let registration = Registration(
      key: ServiceKey(service: factory.service, name: name),
      place: SourcePlace(fileID: fileID, line: line), lifetime: lifetime, arguments: [],
      supports: factory.supports
    ) { request throws(ResolutionError) in
      guard request.arguments.isEmpty else { throw request.wrongArguments([], factory.service) }
      return factory.make
    }
    return Container(registrations + [registration], parent)
  }

  /// A container that makes the service of one argument or several, each time.
  public func register<Service: Sendable, First: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil,
    fileID: String = #fileID, line: UInt = #line,
    with make: @escaping @Sendable (any Resolver, First, repeat each Argument) throws -> Service
  ) -> Container {
    let factory = ArgumentFactory<Service, First, repeat each Argument>(body: make)
    let registration = Registration(
      key: ServiceKey(service: service, name: name),
      place: SourcePlace(fileID: fileID, line: line), lifetime: .eachTime,
      arguments: factory.arguments, supports: { $0 == service }, make: factory.maker)
    return Container(registrations + [registration], parent)
  }

  /// A container without what was registered for that type and name; a test puts a double there.
  public func without(_ service: Any.Type, named name: String? = nil) -> Container {
    let key = ServiceKey(service: service, name: name)
    return Container(registrations.filter { $0.key != key }, parent)
  }
}
