internal import Ambient
internal import Synchronization

/// Services by their types: what is registered never changes, each registration makes another
/// container.
///
/// ```swift
/// let container = Container()
///   .register((any CustomerRepository).self, MemoryCustomerRepository())
///   .register((any CustomerService).self, .once) { resolution in
///     StandardCustomerService(
///       repository: try resolution.resolve(), passwords: try resolution.resolve())
///   }
/// let customers: any CustomerService = try container.resolve()
/// ```
///
/// Of several registrations of a service the last one wins. What is shared is shared within one
/// container, not with those made from it. Safe to use from any thread; a factory runs on the
/// thread of whoever asks, once for all who ask at the same time, and the others wait.
public final class Container: Resolver {
  /// All registrations in their order, also those that a later one has overridden.
  public let registrations: [Registration]
  /// Who is asked for what is not registered, in this order.
  private let resolvers: [any Resolver]
  private let sealed = AtomicLazyReference<Cells>()
  /// The same cells, for the usual read.
  let shortcut = Kept()

  /// The places of the services of one container, made when it is first asked.
  final class Cells: Sendable {
    /// One for each service, in the order of the registrations.
    let all: [any AnyCell]
    let byType: [ObjectIdentifier: any AnyCell]
    /// What is kept in them, for the usual read, which counts no references.
    let kept: [ObjectIdentifier: Unmanaged<Kept>]
    let making = Making()

    init(_ registrations: [Registration]) {
      // The last registration of a service wins.
      var last: [ObjectIdentifier: Int] = [:]
      for (index, registration) in registrations.enumerated() { last[registration.key] = index }
      let cells = last.values.sorted().map { ($0, registrations[$0].makeCell()) }
      all = cells.map(\.1)
      byType = Dictionary(uniqueKeysWithValues: cells.map { (registrations[$0].key, $1) })
      // Valid as long as this is: the cells keep them.
      kept = byType.mapValues { .passUnretained($0.kept) }
    }
  }

  /// A container without services.
  public convenience init() { self.init([], []) }

  private init(_ registrations: [Registration], _ resolvers: [any Resolver]) {
    self.registrations = registrations
    self.resolvers = resolvers
  }

  /// A container that asks a resolver for what is not registered; of several, the first that
  /// supports it.
  ///
  /// What is replaced in another container is not replaced in what was made here with the old one.
  public func register(resolver: any Resolver) -> Container {
    Container(registrations, resolvers + [resolver])
  }

  func adding<Service: Sendable>(_ recipe: Recipe<Service>, at place: SourcePlace) -> Container {
    Container(registrations + [Registration(Service.self, recipe, place)], resolvers)
  }

  /// The registrations of a service: the first, those that overrode it, and the one that holds.
  public func registrations<Service>(of service: Service.Type) -> [Registration] {
    registrations.filter { $0.key == ObjectIdentifier(service) }
  }

  /// Whether the service is registered, a factory answers for it, or one of the resolvers.
  public func supports<Service: Sendable>(_ service: Service.Type) -> Bool {
    cell(service) != nil || wideCell(service) != nil || resolver(service) != nil
  }

  /// Puts an instance in the place of a registered service while the program runs.
  ///
  /// Those who ask from now on get it. Shared services that were made with the old one are
  /// forgotten, and made again when they are asked for; whoever holds one keeps it. The container
  /// keeps each instance as long as it lives, so this is for what changes now and then.
  ///
  /// - Throws: ``ResolutionError`` if the service is not registered, or is made with arguments.
  public func replace<Service: Sendable>(
    _ service: Service.Type, with instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) {
    let asker = Asker(making: nil, place: SourcePlace(fileID: fileID, line: line))
    guard let cell = cell(service) else { throw asker.error(.missing, service) }
    if case .arguments(let factory) = cell.recipe {
      throw asker.error(.wrongArguments(expected: factory.arguments, given: []), service)
    }
    cells.making.replace(cell) { cell.keep(instance) }
  }

  /// What would go wrong if each registered service were asked for, in a container like this one.
  ///
  /// Runs every factory that needs no arguments; those that do are passed over.
  public func check(
    fileID: String = #fileID, line: UInt = #line
  ) -> [ResolutionError] {
    let asker = Asker(making: nil, place: SourcePlace(fileID: fileID, line: line))
    let copy = Container(registrations, resolvers)
    return copy.cells.all.compactMap { cell in
      do throws(ResolutionError) { _ = try cell.find(in: copy, for: asker) } catch {
        if case .wrongArguments = error.reason, error.askedBy.isEmpty { return nil }
        return error
      }
      return nil
    }
  }

  var cells: Cells {
    if let cells = sealed.load() { return cells }
    let cells = sealed.storeIfNil(Cells(registrations))
    shortcut.set(cells)
    return cells
  }

  /// The place of a registered service.
  func cell<Service: Sendable>(_ service: Service.Type) -> Cell<Service>? {
    // Valid: the key is the type of the service, and so of the cell.
    cells.byType[ObjectIdentifier(service)].map { unsafeDowncast($0, to: Cell<Service>.self) }
  }

  /// The place of a service that is made by a factory which also answers for that type.
  func wideCell<Service>(_ service: Service.Type) -> (any AnyCell)? {
    cells.all.last { $0.supports(service) }
  }

  func resolver<Service: Sendable>(_ service: Service.Type) -> (any Resolver)? {
    resolvers.first { $0.supports(service) }
  }
}

extension Container {
  /// A container that gives out that instance.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, _ instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    adding(.instance(instance), at: SourcePlace(fileID: fileID, line: line))
  }

  /// A container that makes the service by a closure.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, _ scope: ServiceScope = .eachTime,
    fileID: String = #fileID, line: UInt = #line,
    make: @escaping @Sendable (Resolution) throws -> Service
  ) -> Container {
    register(ClosureFactory(body: make), scope, fileID: fileID, line: line)
  }

  /// A container that makes the service by a factory.
  public func register<Service: Sendable>(
    _ factory: some ServiceFactory<Service>, _ scope: ServiceScope = .eachTime,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    adding(.factory(factory, scope), at: SourcePlace(fileID: fileID, line: line))
  }

  /// A container that makes the service from one argument or several, each time.
  public func register<Service: Sendable, First: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    fileID: String = #fileID, line: UInt = #line,
    with make: @escaping @Sendable (Resolution, First, repeat each Argument) throws -> Service
  ) -> Container {
    let factory = ArgumentFactory<Service, First, repeat each Argument>(body: make)
    return adding(
      Recipe<Service>.arguments(factory), at: SourcePlace(fileID: fileID, line: line))
  }

  /// A container that makes an object and shares it while somebody holds it.
  ///
  /// - Parameter convert: Turns the object into the service, as in `{ $0 }` for a protocol that it
  ///   conforms to. It must hold the object, or the service is shared with nobody.
  public func register<Service: Sendable, Object: AnyObject & Sendable>(
    _ service: Service.Type = Service.self,
    weak make: @escaping @Sendable (Resolution) throws -> Object,
    as convert: @escaping @Sendable (Object) -> Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    let recipe = Recipe<Service>.weak { resolution in
      let object = try make(resolution)
      let remembered = Remembered(
        isHeld: { [weak object] in object != nil },
        recall: { [weak object] in object.map(convert) })
      return (convert(object), remembered)
    }
    return adding(recipe, at: SourcePlace(fileID: fileID, line: line))
  }
}
