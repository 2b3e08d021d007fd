public import Ambient

/// One service being made: what its factory asks for the services that it needs.
///
/// It knows who asked for what, and so finds cycles and names who misses something. Do not keep it
/// for later: what a service asks for when it is used, it asks ``container``.
public final class Resolution: Resolver {
  /// The container that looks for services.
  public let container: Container
  let parent: Resolution?
  let cell: any AnyCell
  /// The innermost cell, from this one outwards, whose service is shared.
  let sharing: (any AnyCell)?
  /// The innermost cell, from this one outwards, whose service others wait for.
  let awaited: (any AnyCell)?
  private let answers: Answers

  /// What is shared within one question.
  private final class Answers: Sendable {
    let made = Guarded<[ObjectIdentifier: any Sendable]>([:])
  }

  init(
    _ container: Container, _ parent: Resolution?, _ cell: any AnyCell,
    isShared: Bool = false, isAwaited: Bool = false
  ) {
    self.container = container
    self.parent = parent
    self.cell = cell
    sharing = isShared ? cell : parent?.sharing
    awaited = isAwaited ? cell : parent?.awaited
    answers = parent?.answers ?? Answers()
  }

  /// Finds a service for the one that is being made.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try container.resolve(service, for: self, at: place)
  }

  /// Makes a service with arguments for the one that is being made.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try container.resolve(service, with: repeat each arguments, for: self, at: place)
  }

  /// The services that are being made, the outermost first.
  var path: [String] { (parent?.path ?? []) + [cell.name] }

  /// The path from the making of `cell` to here, if it is being made.
  func path(from cell: any AnyCell) -> [String]? {
    if self.cell === cell { return [cell.name] }
    return parent?.path(from: cell).map { $0 + [self.cell.name] }
  }

  /// The service that was made for the same question.
  func answer<Service: Sendable>(_ cell: Cell<Service>) -> Service? {
    answers.made.withLock { $0[ObjectIdentifier(cell)] } as? Service
  }

  /// Keeps a service for the same question, unless one was kept in between, and returns that.
  func answer<Service: Sendable>(_ cell: Cell<Service>, _ service: Service) -> Service {
    let kept = answers.made.withLock { made in
      let kept = made[ObjectIdentifier(cell)]
      if kept == nil { made[ObjectIdentifier(cell)] = service }
      return kept
    }
    return kept as? Service ?? service
  }
}
