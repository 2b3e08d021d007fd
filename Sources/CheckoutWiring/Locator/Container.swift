public import Ambient
internal import Synchronization

/// Services by their types: the recipes never change, each registration makes another container.
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
  private let sealed = AtomicLazyReference<Table>()
  /// The table as a bit pattern; zero until somebody has asked for a service.
  private let shortcut = Atomic<UInt>(0)

  /// A container without services.
  public init() { registrations = [] }

  init(_ registrations: [Registration]) { self.registrations = registrations }

  /// The registrations of a service: the first, those that overrode it, and the one that holds.
  public func registrations<Service>(of service: Service.Type) -> [Registration] {
    registrations.filter { $0.key == ObjectIdentifier(service) }
  }

  /// Finds a service that is made without arguments.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    if let pointer = box(ObjectIdentifier(service)) {
      // Valid: the table keeps each box that was ever shown, and its type is that of the cell.
      return Unmanaged<Box<Service>>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.service }
    }
    return try resolve(service, for: nil, at: place)
  }

  /// Makes a service with arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try resolve(service, with: repeat each arguments, for: nil, at: place)
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
    let place = SourcePlace(fileID: fileID, line: line)
    let cell = try cell(service, nil, place)
    if case .arguments(let factory) = cell.content {
      throw error(
        .wrongArguments(expected: factory.arguments, given: []), service, nil, place)
    }
    table.instances.keep(Box(instance), in: cell)
  }

  /// What would go wrong if each service were asked for, in a container like this one.
  ///
  /// Runs every factory that needs no arguments; those that do are passed over.
  public func check(
    fileID: String = #fileID, line: UInt = #line
  ) -> [ResolutionError] {
    let place = SourcePlace(fileID: fileID, line: line)
    let copy = Container(registrations)
    return copy.table.cells.compactMap { cell in
      do throws(ResolutionError) {
        try cell.check(copy, at: place)
        return nil
      } catch {
        return error
      }
    }
  }

  var table: Table {
    if let table = sealed.load() { return table }
    let table = sealed.storeIfNil(Table(registrations))
    let pointer = Unmanaged.passUnretained(table).toOpaque()
    shortcut.store(UInt(bitPattern: pointer), ordering: .releasing)
    return table
  }

  /// The box of the service that was given or is made once, if it is there; counts no references.
  private func box(_ service: ObjectIdentifier) -> UnsafeRawPointer? {
    let pointer = UnsafeRawPointer(bitPattern: shortcut.load(ordering: .acquiring))
    guard let pointer else { return nil }
    // Valid: `sealed` keeps the table as long as this container lives.
    return Unmanaged<Table>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.box(service) }
  }
}
