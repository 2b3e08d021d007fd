internal import Ambient

/// Makes services that are shared while somebody holds them.
protocol WeakFactory<Service>: Sendable {
  associatedtype Service: Sendable

  /// What remembers the service in one container.
  func memory() -> any WeakMemory<Service>
}

/// Remembers a service while somebody holds it.
protocol WeakMemory<Service>: Sendable {
  associatedtype Service: Sendable

  /// Whether somebody holds it; runs no user code.
  var isHeld: Bool { get }

  /// The service, if somebody holds it.
  func recall() -> Service?

  /// Makes a service, and what remembers it.
  func make(_ resolution: Resolution) throws -> Made<Service>

  /// Forgets the service; runs no user code.
  func forget()
}

/// A service that is to be shared.
struct Made<Service: Sendable> {
  let service: Service
  /// What the container must keep for the service to be shared.
  let kept: (any AnyObject & Sendable)?
  /// Shows the service to all; runs no user code.
  let publish: @Sendable () -> Void
}

/// A weak factory whose closure makes an object, which another turns into the service.
struct ObjectFactory<Service: Sendable, Object: AnyObject & Sendable>: WeakFactory {
  let make: @Sendable (Resolution) throws -> Object
  let convert: @Sendable (Object) -> Service

  func memory() -> any WeakMemory<Service> { ObjectMemory(factory: self) }
}

private final class ObjectMemory<Service: Sendable, Object: AnyObject & Sendable>: WeakMemory {
  private struct Weak: Sendable {
    weak var object: Object?
  }

  private let factory: ObjectFactory<Service, Object>
  private let held = Guarded(Weak())

  init(factory: ObjectFactory<Service, Object>) { self.factory = factory }

  private var object: Object? { held.withLock { $0.object } }

  var isHeld: Bool { object != nil }

  func recall() -> Service? { object.map(factory.convert) }

  func make(_ resolution: Resolution) throws -> Made<Service> {
    let object = try factory.make(resolution)
    return Made(service: factory.convert(object), kept: nil) { self.remember(object) }
  }

  func forget() { held.withLock { $0.object = nil } }

  private func remember(_ object: Object) { held.withLock { $0.object = object } }
}
