import Synchronization

/// One scope's place for one context's service.
final class Slot<Service: Sendable>: Sendable {
  /// The current `Installed` as a bit pattern; zero until one is assigned or the default is read.
  private let current = Atomic<UInt>(0)
  /// Every service that was ever assigned here: a call may still be under way on a replaced one.
  private let kept = Guarded<[Installed<Service>]>([])
  private let inForce: InForce<Service>?

  init(_ inForce: InForce<Service>?) { self.inForce = inForce }

  deinit {
    guard let inForce, let last = kept.withLock({ $0.last }) else { return }
    inForce(last.service, -1)
  }

  /// What was assigned here, or the default if it was read.
  var service: Service? {
    UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)).map {
      // Valid while the slot lives: `kept` holds each `Installed` that was published here.
      Unmanaged<Installed<Service>>.fromOpaque($0).takeUnretainedValue().service
    }
  }

  /// What holds the service, or the default; valid while the slot lives.
  func held(_ makeDefault: () -> Service) -> Unmanaged<Installed<Service>> {
    let word = current.load(ordering: .acquiring)
    if let pointer = UnsafeRawPointer(bitPattern: word) { return .fromOpaque(pointer) }
    return .passUnretained(installDefault(makeDefault))
  }

  /// Apart, so that the usual call, generic as it is, has no room to make for what it seldom needs.
  @inline(never)
  private func installDefault(_ makeDefault: () -> Service) -> Installed<Service> {
    let made = Installed(makeDefault())
    inForce?(made.service, 1)
    let installed = kept.withLock { kept in
      if let first = kept.last { return first }
      kept.append(made)
      publish(made)
      return made
    }
    if installed !== made { inForce?(made.service, -1) }
    return installed
  }

  func assign(_ service: Service) {
    let installed = Installed(service)
    inForce?(service, 1)
    let replaced = kept.withLock { kept in
      let replaced = kept.last
      kept.append(installed)
      publish(installed)
      return replaced
    }
    if let replaced { inForce?(replaced.service, -1) }
    (replaced?.service as? any AmbientService)?.flush()
  }

  private func publish(_ installed: Installed<Service>) {
    current.store(
      UInt(bitPattern: Unmanaged.passUnretained(installed).toOpaque()), ordering: .releasing)
  }
}
