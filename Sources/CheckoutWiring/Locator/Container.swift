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
/// thread waits for another: if two threads ask for a ``ServiceLifetime/once`` service at the same
/// time, both may make it, and both get the first that is ready. A shared service belongs to one
/// container, not to those made from it; a child by ``init(parent:)`` shares its parent's services.
/// Finding a shared service takes constant time; by a further type of its factory, it takes time
/// linear in the registrations.
public final class Container: Resolver {
  /// The registrations of a container, made ready when it is first asked.
  private final class Cells: Sendable {
    let all: [Cell]
    let byKey: [ServiceKey: Cell]

    init(_ registrations: [Registration]) {
      byKey = Dictionary(grouping: registrations, by: \.key).mapValues { same in
        Cell(same[0], again: same.dropFirst().first?.place)
      }
      var rest = byKey
      all = registrations.compactMap { rest.removeValue(forKey: $0.key) }
    }
  }

  private let registrations: [Registration]
  private let parent: (any Resolver)?
  private let ready = Guarded<Cells?>(nil)

  /// A container without services of its own.
  ///
  /// - Parameter parent: Asked for services that are not registered here. Its factories ask it, and
  ///   not this container, for their parts.
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
  ///
  /// - Parameters:
  ///   - service: The type that was registered, that a factory supports, or an optional of one.
  ///   - request: The name, the arguments and the line that asks.
  /// - Returns: The service; one that is registered as `once` is the same each time.
  /// - Throws: ``ResolutionError``, which lists what asked for it.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service {
    guard let cell = try cell(service, request) else {
      guard let parent else { throw request.error(.missing, service) }
      let key = ServiceKey(service: service, name: request.name)
      return try Making.current.step(self, key, service, request) {
        try parent.resolve(service, request)
      }
    }
    let found = try find(cell, service, request)
    guard let found = found as? Service else {
      throw request.error(.unkept(makes: "\(type(of: found))"), service)
    }
    return found
  }

  /// The errors that requests of all registered services would cause in a container like this one.
  ///
  /// Runs every factory without arguments in a copy of this container and of its parents, and drops
  /// the services. A parent that is a resolver of your own, and a container that a factory has
  /// captured, are not copied. The registrations of a parent are left to its own check.
  ///
  /// - Parameters:
  ///   - fileID: The file that errors name as the one that asks.
  ///   - line: The line that errors name.
  /// - Returns: An error for each service that cannot be had, in the order of registration.
  public func check(fileID: String = #fileID, line: UInt = #line) -> [ResolutionError] {
    let copy = copy
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

  /// A container with the same registrations and no services yet, and with such a parent.
  private var copy: Container { Container(registrations, (parent as? Container)?.copy ?? parent) }

  private func cell(
    _ service: Any.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Cell? {
    let name = request.name
    if let cell = cells.byKey[ServiceKey(service: service, name: name)] { return cell }
    let supporting = cells.all.filter {
      $0.registration.key.name == name && $0.registration.supports(service)
    }
    if supporting.count > 1 {
      let places = supporting.map(\.registration.place)
      throw request.error(.registeredTwice(places[0], places[1]), service)
    }
    if let cell = supporting.first { return cell }
    guard let optional = service as? any OptionalService.Type else { return nil }
    return try cell(optional.wrapped, request)
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

extension Container {
  /// A container that gives out that instance.
  ///
  /// - Parameters:
  ///   - service: The type by which it is asked for, as a protocol.
  ///   - name: The name, where several services have that type; nil for none.
  ///   - instance: The service, the same for all who ask.
  ///   - fileID: The file that errors name as that of the registration.
  ///   - line: The line that errors name.
  /// - Returns: A new container; this one stays as it is.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil, _ instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    let factory = BasicServiceFactory { _ in instance }
    return register(factory, named: name, .once, fileID: fileID, line: line)
  }

  /// A container that makes the service by a closure.
  ///
  /// - Parameters:
  ///   - service: The type by which it is asked for, as a protocol.
  ///   - name: The name, where several services have that type; nil for none.
  ///   - lifetime: Whether one service is made for all, or one each time.
  ///   - fileID: The file that errors name as that of the registration.
  ///   - line: The line that errors name.
  ///   - make: Makes the service from those of the given resolver. Called under no lock.
  /// - Returns: A new container; this one stays as it is.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil,
    _ lifetime: ServiceLifetime = .eachTime, fileID: String = #fileID, line: UInt = #line,
    make: @escaping @Sendable (any Resolver) throws -> Service
  ) -> Container {
    register(BasicServiceFactory(make: make), named: name, lifetime, fileID: fileID, line: line)
  }

  /// A container that makes the service by a factory.
  ///
  /// - Parameters:
  ///   - factory: The factory, which says which types it supports.
  ///   - name: The name, where several services have one type; nil for none.
  ///   - lifetime: Whether one service is made for all, or one each time.
  ///   - fileID: The file that errors name as that of the registration.
  ///   - line: The line that errors name.
  /// - Returns: A new container; this one stays as it is.
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
  ///
  /// - Parameters:
  ///   - service: The type by which it is asked for, as a protocol.
  ///   - name: The name, where several services have that type; nil for none.
  ///   - fileID: The file that errors name as that of the registration.
  ///   - line: The line that errors name.
  ///   - make: Makes the service from those of the given resolver and from the caller's arguments.
  /// - Returns: A new container; this one stays as it is.
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

  /// A container without the registration of that type and name; a test puts a double there.
  ///
  /// - Parameters:
  ///   - service: The type by which it was registered.
  ///   - name: The name with which it was registered; nil for none.
  /// - Returns: A new container; an equal one if there was no such registration.
  public func without(_ service: Any.Type, named name: String? = nil) -> Container {
    let key = ServiceKey(service: service, name: name)
    return Container(registrations.filter { $0.key != key }, parent)
  }
}
