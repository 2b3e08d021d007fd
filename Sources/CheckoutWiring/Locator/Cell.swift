internal import Ambient
internal import Synchronization

/// The place of one service in a container, of whatever type.
protocol AnyCell: AnyObject, Sendable {
  var name: String { get }
  /// The box of a shared service that is kept.
  var kept: Kept { get }
  /// Whether its factory answers for that type.
  func supports<Wanted>(_ service: Wanted.Type) -> Bool
  /// Whether a shared service is there; runs no user code.
  var isReady: Bool { get }
  /// Forgets a shared service that was made.
  func forget()
  /// The service, of its own type.
  func find(in container: Container, for asker: Asker) throws(ResolutionError) -> any Sendable
}

/// A service in memory that a container keeps.
final class Box<Service: Sendable>: Sendable {
  let service: Service

  init(_ service: Service) { self.service = service }
}

/// An object that all threads read without a lock, and without counting references; whatever was
/// once in here is kept as long as this is.
///
/// Of no type of its own, so that all cells share its code.
final class Kept: Sendable {
  private let bits = Atomic<UInt>(0)
  private let all = Guarded<[any AnyObject & Sendable]>([])

  /// The object, if there is one.
  @inline(__always)
  var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) }

  func set(_ object: any AnyObject & Sendable) {
    all.withLock { $0.append(object) }
    bits.store(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .releasing)
  }

  func clear() { bits.store(0, ordering: .releasing) }
}

/// Finds a shared service again while somebody holds it.
struct Remembered<Service: Sendable>: Sendable {
  /// Whether somebody holds it; runs no user code.
  let isHeld: @Sendable () -> Bool
  /// The service, if somebody holds it.
  let recall: @Sendable () -> Service?
}

/// The place of one service in a container.
final class Cell<Service: Sendable>: AnyCell {
  let recipe: Recipe<Service>
  let kept = Kept()
  private let remembered = Guarded<Remembered<Service>?>(nil)

  init(_ recipe: Recipe<Service>) {
    self.recipe = recipe
    if case .instance(let service) = recipe { keep(service) }
  }

  var name: String { "\(Service.self)" }

  func supports<Wanted>(_ service: Wanted.Type) -> Bool {
    if case .factory(let factory, _) = recipe { factory.supports(service) } else { false }
  }

  /// The shared service, if it is there.
  var shared: Service? {
    if let pointer = kept.pointer { return Self.service(in: pointer) }
    guard case .weak = recipe else { return nil }
    return remembered.withLock { $0 }?.recall()
  }

  /// The service in what the cell of that service has kept.
  @inline(__always)
  static func service(in pointer: UnsafeRawPointer) -> Service {
    // Valid: `keep` alone fills it, with such a box, and it stays as long as the cell, which our
    // caller uses.
    Unmanaged<Box<Service>>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.service }
  }

  var isReady: Bool { kept.pointer != nil || remembered.withLock { $0?.isHeld() ?? false } }

  /// Shares a service for good; it stays in memory even if another takes its place.
  func keep(_ service: Service) { kept.set(Box(service)) }

  /// Shares a service while somebody holds it.
  func remember(_ service: Remembered<Service>) { remembered.withLock { $0 = service } }

  func forget() {
    kept.clear()
    remembered.withLock { $0 = nil }
  }

  func find(in container: Container, for asker: Asker) throws(ResolutionError) -> any Sendable {
    try container.resolve(self, for: asker)
  }
}
