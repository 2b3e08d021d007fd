// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A container of services, which are found by their types. A container never changes: each
/// registration returns a new container.
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
/// Safe to use from any thread. A factory runs on the thread that requests the service, without a
/// lock, and no thread waits for another: if two threads request a ``ServiceLifetime/once`` service
/// at the same time, both may make it, and both get the first that is ready. A shared service
/// belongs to one container, not to containers derived from it by further registrations; a child by
/// ``init(parent:)`` shares its parent's services. Finding a shared service takes constant time;
/// finding it by another type that its factory supports takes time linear in the registrations.
public final class Container: Resolver {
  /// The registrations of a container, with the services that the container shares. The container
  /// creates this index at the first request.
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

  /// Creates a container without services of its own.
  ///
  /// - Parameter parent: The resolver of services that are not registered here. The parent's
  ///   factories get the services that they need from the parent, not from this container.
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
  ///   - service: The registered type, a type that a factory supports, or an optional of one of
  ///     these.
  ///   - request: The name, the arguments and the requesting line.
  /// - Returns: The service; a `once` service is the same each time.
  /// - Throws: ``ResolutionError``, which lists the services that requested this one.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service {
    guard let cell = try cell(service, request) else {
      guard let parent else { throw request.error(.missing, service) }
      let key = ServiceKey(service: service, name: request.name)
      return try ServicesInMaking.current.step(self, key, service, request) {
        try parent.resolve(service, request)
      }
    }
    let found = try find(cell, service, request)
    guard let found = found as? Service else {
      throw request.error(.unkept(makes: "\(type(of: found))"), service)
    }
    return found
  }

  /// Returns the errors that would occur if each registered service were requested from a container
  /// like this one.
  ///
  /// Runs every factory that takes no arguments, in a copy of this container and of its parents,
  /// and drops the services. A parent that is a resolver of your own, and a container that a
  /// factory has captured, are not copied. A parent's registrations are not checked here; the
  /// parent's own `check` does that.
  ///
  /// - Parameters:
  ///   - fileID: The requesting file, for errors.
  ///   - line: The requesting line, for errors.
  /// - Returns: An error for each service that cannot be made, in the order of registration.
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

  /// A container with the same registrations, without services yet. Its parent is also a copy if
  /// the parent is a container.
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
    let made = try ServicesInMaking.current.make(cell, service, request) { try make(self) }
    return registration.lifetime == .once ? cell.share(made) : made
  }
}

extension Container {
  /// Registers an instance as a service, in a new container.
  ///
  /// - Parameters:
  ///   - service: The type by which the service is requested, for example a protocol.
  ///   - name: The name, if several services have that type; nil for no name.
  ///   - instance: The service, the same for all requests.
  ///   - fileID: The file of the registration, for errors.
  ///   - line: The line of the registration, for errors.
  /// - Returns: The new container; this one stays unchanged.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil, _ instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    let factory = BasicServiceFactory { _ in instance }
    return register(factory, named: name, .once, fileID: fileID, line: line)
  }

  /// Registers a closure that makes a service, in a new container.
  ///
  /// - Parameters:
  ///   - service: The type by which the service is requested, for example a protocol.
  ///   - name: The name, if several services have that type; nil for no name.
  ///   - lifetime: Whether all requests share one service, or each makes one.
  ///   - fileID: The file of the registration, for errors.
  ///   - line: The line of the registration, for errors.
  ///   - make: Makes the service from services of the given resolver. Called without a lock.
  /// - Returns: The new container; this one stays unchanged.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil,
    _ lifetime: ServiceLifetime = .eachTime, fileID: String = #fileID, line: UInt = #line,
    make: @escaping @Sendable (any Resolver) throws -> Service
  ) -> Container {
    register(BasicServiceFactory(make: make), named: name, lifetime, fileID: fileID, line: line)
  }

  /// Registers a factory that makes a service, in a new container.
  ///
  /// - Parameters:
  ///   - factory: The factory, which also says which types it supports.
  ///   - name: The name, if several services have one type; nil for no name.
  ///   - lifetime: Whether all requests share one service, or each makes one.
  ///   - fileID: The file of the registration, for errors.
  ///   - line: The line of the registration, for errors.
  /// - Returns: The new container; this one stays unchanged.
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

  /// Registers a closure in a new container. For each request, the closure makes a new service from
  /// one or more arguments.
  ///
  /// - Parameters:
  ///   - service: The type by which the service is requested, for example a protocol.
  ///   - name: The name, if several services have that type; nil for no name.
  ///   - fileID: The file of the registration, for errors.
  ///   - line: The line of the registration, for errors.
  ///   - make: Makes the service from services of the given resolver and the caller's arguments.
  /// - Returns: The new container; this one stays unchanged.
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

  /// A new container without the registration of that type and name, so that a test can register a
  /// double.
  ///
  /// - Parameters:
  ///   - service: The registered type.
  ///   - name: The registered name; nil for no name.
  /// - Returns: The new container; it has the same registrations as this one if none was removed.
  public func without(_ service: Any.Type, named name: String? = nil) -> Container {
    let key = ServiceKey(service: service, name: name)
    return Container(registrations.filter { $0.key != key }, parent)
  }
}
