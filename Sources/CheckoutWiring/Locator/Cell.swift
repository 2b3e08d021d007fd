internal import Ambient
internal import Synchronization

/// The place of one service in a container, of whatever type.
protocol AnyCell: AnyObject, Sendable {
  var name: String { get }
  /// Shows the service that was given, if it was.
  func start(_ instances: Instances)
  /// Whether a shared service is there; runs no user code.
  var isReady: Bool { get }
  /// Which box it shows.
  var current: CurrentBox { get }
  /// Forgets a shared service that was made.
  func forget()
  /// Resolves the service to see that it can be; one that needs arguments is passed over.
  func check(_ container: Container, at place: SourcePlace) throws(ResolutionError)
}

/// Holds a service in memory that the container keeps.
final class Box<Service: Sendable>: Sendable {
  let service: Service

  init(_ service: Service) { self.service = service }
}

/// Which box a cell shows: of no type of its own, so that all cells share its code.
final class CurrentBox: Sendable {
  private let bits = Atomic<UInt>(0)

  @inline(__always)
  var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) }

  func set(_ pointer: UnsafeRawPointer?) {
    bits.store(UInt(bitPattern: pointer), ordering: .releasing)
  }
}

/// What the place of one service holds: its recipe, and what one container remembers of it.
enum Content<Service: Sendable>: Sendable {
  case instance(Service)
  case factory(any ServiceFactory<Service>, ServiceScope)
  case weak(any WeakMemory<Service>)
  case arguments(any AnyArgumentFactory)
}

/// The place of one service in a container.
final class Cell<Service: Sendable>: AnyCell {
  let current = CurrentBox()
  let content: Content<Service>

  init(_ recipe: Recipe<Service>) {
    content =
      switch recipe {
      case .instance(let service): .instance(service)
      case .factory(let factory, let scope): .factory(factory, scope)
      case .weak(let factory): .weak(factory.memory())
      case .arguments(let factory): .arguments(factory)
      }
  }

  var memory: (any WeakMemory<Service>)? {
    if case .weak(let memory) = content { memory } else { nil }
  }

  var name: String { "\(Service.self)" }

  func start(_ instances: Instances) {
    if case .instance(let service) = content { instances.keep(Box(service), in: self) }
  }

  var isReady: Bool { current.pointer != nil || memory?.isHeld == true }

  /// The shared service that was given or is made once.
  @inline(__always)
  var shared: Service? {
    guard let pointer = current.pointer else { return nil }
    // Valid: the container keeps each box that was ever published, and is in use by our caller.
    return Unmanaged<Box<Service>>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.service }
  }

  /// Shows a service to all; the caller keeps the box as long as this cell is used.
  func publish(_ box: Box<Service>) {
    current.set(Unmanaged.passUnretained(box).toOpaque())
  }

  func forget() {
    current.set(nil)
    memory?.forget()
  }

  func check(_ container: Container, at place: SourcePlace) throws(ResolutionError) {
    if case .arguments = content { return }
    _ = try container.resolve(Service.self, at: place)
  }
}
