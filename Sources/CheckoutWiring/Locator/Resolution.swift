public import Ambient

/// One service being made: what its factory asks for the services that it needs.
///
/// It knows who asked for what, and so finds cycles and names who misses something. Do not keep it
/// for later: what a service asks for when it is used, it asks ``container``.
public final class Resolution: Resolver {
  /// The container that looks for services.
  public let container: Container
  private let parent: Resolution?
  private let cell: any AnyCell
  /// The innermost cell, from this one outwards, whose service is shared.
  let sharing: (any AnyCell)?
  /// The innermost cell, from this one outwards, whose service others wait for.
  let awaited: (any AnyCell)?
  /// In the outermost: what is shared within one question.
  private let answers = Guarded<[ObjectIdentifier: any Sendable]>([:])

  init(
    _ container: Container, _ parent: Resolution?, _ cell: any AnyCell,
    isShared: Bool = false, isAwaited: Bool = false
  ) {
    self.container = container
    self.parent = parent
    self.cell = cell
    sharing = isShared ? cell : parent?.sharing
    awaited = isAwaited ? cell : parent?.awaited
  }

  /// Whether the container finds a service of that type.
  public func supports<Service: Sendable>(_ service: Service.Type) -> Bool {
    container.supports(service)
  }

  /// Finds a service for the one that is being made.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try container.resolve(service, for: Asker(making: self, place: place))
  }

  /// Makes a service with arguments for the one that is being made.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try container.resolve(
      service, with: repeat each arguments, for: Asker(making: self, place: place))
  }

  /// The services that are being made, the outermost first.
  var path: [String] { (parent?.path ?? []) + [cell.name] }

  /// The path from the making of `cell` to here, if it is being made.
  func path(from cell: any AnyCell) -> [String]? {
    if self.cell === cell { return [cell.name] }
    return parent?.path(from: cell).map { $0 + [self.cell.name] }
  }

  /// The service that was made for the same question; if none was yet, the one that is given.
  func answer<Service: Sendable>(_ cell: Cell<Service>, _ service: Service? = nil) -> Service? {
    if let parent { return parent.answer(cell, service) }
    return answers.withLock { made in
      if made[ObjectIdentifier(cell)] == nil { made[ObjectIdentifier(cell)] = service }
      return made[ObjectIdentifier(cell)]
    } as? Service
  }
}

/// Who asks for a service, and where.
struct Asker {
  /// The service that is being made and needs it, or nil if the program itself asks.
  let making: Resolution?
  let place: SourcePlace

  func error<Service>(
    _ reason: ResolutionError.Reason, _ service: Service.Type
  ) -> ResolutionError {
    ResolutionError(
      reason: reason, service: "\(service)", askedBy: making?.path ?? [], place: place)
  }

  /// Runs a factory; what it throws says which service failed, but the error of a service that it
  /// needs stays as it is.
  func attempt<Service>(
    _ service: Service.Type, _ body: () throws -> Service
  ) throws(ResolutionError) -> Service {
    do { return try body() } catch {
      throw error as? ResolutionError ?? self.error(.failed(error), service)
    }
  }

  /// Asks another resolver, whose errors do not know who asked it.
  func pass<Service>(
    _ ask: () throws(ResolutionError) -> Service
  ) throws(ResolutionError) -> Service {
    do throws(ResolutionError) { return try ask() } catch {
      throw ResolutionError(
        reason: error.reason, service: error.service,
        askedBy: (making?.path ?? []) + error.askedBy, place: error.place)
    }
  }

  /// Throws if the service of that cell is being made for this very question.
  func checkCycle<Service: Sendable>(_ cell: Cell<Service>) throws(ResolutionError) {
    guard let path = making?.path(from: cell) else { return }
    throw error(.cycle(path + [cell.name]), Service.self)
  }
}
