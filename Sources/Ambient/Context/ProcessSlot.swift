// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The process's state of one context.
///
/// It stores the instances and the first reader, and knows whether a reader must search for a
/// scope.
@usableFromInline
final class ProcessSlot: Sendable {
  /// The object that represents a service, and the type of the service.
  @usableFromInline
  typealias Erased = (object: any AnyObject & Sendable, type: any Any.Type)

  private struct State {
    /// Every instance, newest last. Replaced instances stay, because another thread may still be
    /// calling them. They stay reachable from this array, so leak detectors do not report them.
    var kept: [AnyService] = []
    var firstReader: CallerTrace?
    var reportedLate = false
  }

  /// The bit that is set until the first read of the process's instance has been recorded.
  private static var unread: Int { 1 }
  /// The bit that is set while any isolating scope is alive.
  private static var isolated: Int { 2 }
  /// The amount that one living slot of this context adds to `state`. The count of living slots
  /// takes the bits above the two flags.
  private static var slot: Int { 4 }

  /// Zero if a reader may use `current` without searching for a scope.
  ///
  /// A reader in a scope always sees that the scope's slot is counted. The slot is counted before
  /// the scope begins, on the same thread or on the thread that starts the task; a slot that an
  /// assignment or a default makes, before that call returns. It is counted until the scope's last
  /// task has ended.
  @usableFromInline let state = Atomic<Int>(1)
  /// The bit pattern of the process's instance; zero until there is one.
  @usableFromInline let current = Atomic<UInt>(0)
  let name: String
  private let defaultIsMistake: Bool
  private let onInstallation: InstallationObserver?
  private let makeDefault: @Sendable () -> Erased
  /// The last type for which `counting(of:)` looked up conformances and returned the usual result
  /// of this context. One type is enough, because usually all services of a context have the same
  /// type.
  private let usualType = Atomic<UInt>(0)
  private let guarded = Guarded(State())

  @usableFromInline
  init(
    _ name: StaticString, defaultIsMistake: Bool, onInstallation: InstallationObserver?,
    default makeDefault: @escaping @Sendable () -> Erased
  ) {
    self.name = name.description
    self.defaultIsMistake = defaultIsMistake
    self.onInstallation = onInstallation
    self.makeDefault = makeDefault
  }

  /// True if a reader may use the process's instance without searching for a scope.
  @inlinable @inline(__always)
  var isPlain: Bool { state.load(ordering: .acquiring) == 0 }

  /// The bit pattern of the process's instance; zero if there is none yet.
  @inlinable @inline(__always)
  var object: UInt { current.load(ordering: .acquiring) }

  /// The type-erased form of a service, which the process and the scopes store.
  private func assignment(_ service: Erased) -> AnyService {
    AnyService(object: service.object, counting: counting(of: service.type))
  }

  private func newDefault() -> AnyService {
    assignment(DefaultsInMaking.make(for: self, makeDefault))
  }

  /// Returns which objects are counted when a service of the type is installed or removed.
  ///
  /// If the context has an observer, the service itself is usually counted, since few services are
  /// groups. In other contexts, usually nothing is counted, since few types conform to
  /// `AmbientService` or are optional types. Conformance look-ups are slow, so the last type with
  /// the usual result is stored.
  private func counting(of type: any Any.Type) -> AnyService.Counting {
    let isObserved = onInstallation != nil
    let usual: AnyService.Counting = isObserved ? .service : .nothing
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    if usualType.load(ordering: .relaxed) == identity { return usual }
    if isObserved {
      if type is any ServiceGroup.Type { return .parts }
    } else if type is any AmbientService.Type || type is any MaybeService.Type {
      return .service
    }
    usualType.store(identity, ordering: .relaxed)
    return usual
  }

  /// Whether a scope may bind this context: a living scope has a slot of it, or an isolating scope
  /// is alive.
  @inline(__always)
  var mayBeBound: Bool { state.load(ordering: .relaxed) > Self.unread }

  /// The bit pattern of the service that a read finds without making a default: an assigned
  /// service, or a default that was made before; zero if there is none.
  var assigned: UInt {
    if let slot = Bindings.slot(of: self) { return slot._withUnsafeGuaranteedRef(\.object) }
    return Bindings.isolation == nil ? object : 0
  }

  /// Returns the bit pattern of the service that a read finds: the service of the innermost scope
  /// that has one. If no scope has one, the innermost isolating scope makes and keeps a default.
  /// Outside isolating scopes, the service is the process's instance, or a new default if the
  /// process has none.
  ///
  /// The process's service is valid for ever; a scope's service is valid while the caller stays in
  /// the scope.
  @usableFromInline
  func find() -> UInt {
    if let slot = Bindings.slot(of: self) { return slot._withUnsafeGuaranteedRef(\.object) }
    return findOutside()
  }

  /// Finds the service if no scope binds this context. Not inlined, so that `find` needs no large
  /// stack frame if a scope has the service.
  @inline(never)
  private func findOutside() -> UInt {
    if let isolation = Bindings.isolation {
      if defaultIsMistake { UseObservers.ofDefaults?(name, .capture()) }
      let made = newDefault()
      change(made, by: 1)
      let (slot, isNew) = isolation._withUnsafeGuaranteedRef {
        $0.slot(of: .passUnretained(self), holding: made)
      }
      // Another thread may have added a slot in the meantime.
      if !isNew { change(made, by: -1) }
      return slot.object
    }
    if defaultIsMistake { UseObservers.tellOfProcess(name) }
    let object = object
    if object == 0 { return installDefault() }
    if state.load(ordering: .relaxed) & Self.unread != 0 { noteReader(CallerTrace.capture()) }
    return object
  }

  /// Returns the caller's bindings, with this context bound to the service. Counts the service as
  /// installed in a scope. The scope binds the context of `second`, too.
  @usableFromInline
  func bind(_ service: Erased, with second: Unmanaged<ProcessSlot>?) -> Bindings {
    ProcessWarnings.checkFork()
    let assignment = assignment(service)
    change(assignment, by: 1)
    return Bindings(ScopeSlot(.passUnretained(self), assignment), with: second)
  }

  /// Whether any living scope has a slot of this context.
  @inline(__always)
  var hasSlots: Bool { state.load(ordering: .relaxed) >= Self.slot }

  @inline(__always)
  func countSlots(by change: Int) {
    // `add` is not used, since its check for overflow makes it a loop of compare-exchange
    // operations.
    state.wrappingAdd(change * Self.slot, ordering: .relaxed)
  }

  /// Sets or clears the bit that makes every reader search for an isolating scope.
  func setIsolated(_ isIsolated: Bool) {
    if isIsolated {
      state.bitwiseOr(Self.isolated, ordering: .relaxed)
    } else {
      state.bitwiseAnd(~Self.isolated, ordering: .relaxed)
    }
    onInstallation?(nil, isIsolated ? 1 : -1, false)
  }

  /// Counts the service as installed if `change` is 1, and as removed if it is -1. Does nothing if
  /// the service cannot be an `AmbientService`.
  func change(_ assignment: AnyService, by change: Int, ofProcess: Bool = false) {
    guard assignment.isService else { return }
    guard let onInstallation else { return Installations.adjust(assignment, by: change) }
    guard assignment.counting == .parts else {
      return onInstallation(assignment.object, change, ofProcess)
    }
    for part in assignment.service?.parts ?? [] {
      onInstallation(part as AnyObject, change, ofProcess)
    }
  }

  /// Replaces the service that a read would find. If this is the first assignment of the process's
  /// instance after a read, returns a `LateAssignment`, which the caller must report.
  @usableFromInline
  func assign(_ service: Erased) -> LateAssignment? { assign(assignment(service)) }

  private func assign(_ assignment: AnyService) -> LateAssignment? {
    guard let scope = Bindings.scope(of: .passUnretained(self)) else {
      return assignToProcess(assignment)
    }
    change(assignment, by: 1)
    let (slot, isNew) = scope._withUnsafeGuaranteedRef {
      $0.slot(of: .passUnretained(self), holding: assignment)
    }
    if !isNew { change(slot.assign(assignment), by: -1) }
    return nil
  }

  private func assignToProcess(_ assignment: AnyService) -> LateAssignment? {
    if defaultIsMistake { UseObservers.tellOfProcess(name) }
    change(assignment, by: 1, ofProcess: true)
    let (replaced, reader) = guarded.withLock { state in
      let replaced = state.kept.last
      publish(assignment, in: &state)
      let reader = state.reportedLate ? nil : state.firstReader
      if reader != nil { state.reportedLate = true }
      return (replaced, reader)
    }
    if let replaced {
      change(replaced, by: -1, ofProcess: true)
    } else {
      onInstallation?(nil, -1, true)
    }
    return reader.map { LateAssignment(name: name, reader: $0, setter: .capture()) }
  }

  private func installDefault() -> UInt {
    let reader = CallerTrace.capture()
    if defaultIsMistake {
      Strictness.stopIfStrict {
        "\(name).instance: read before it was set.\n\(reader.line("read"))"
      }
    }
    let made = newDefault()
    change(made, by: 1, ofProcess: true)
    let (object, isFirst) = guarded.withLock { state in
      if let installed = state.kept.last { return (installed.bits, false) }
      publish(made, in: &state)
      return (made.bits, true)
    }
    noteReader(reader)
    if isFirst { onInstallation?(nil, -1, true) } else { change(made, by: -1, ofProcess: true) }
    return object
  }

  private func noteReader(_ reader: CallerTrace) {
    guarded.withLock { state in
      if state.firstReader == nil { state.firstReader = reader }
      self.state.bitwiseAnd(~Self.unread, ordering: .releasing)
    }
  }

  /// Publishes a new instance. Call this under the lock, so that `current` and the newest instance
  /// agree.
  private func publish(_ assignment: AnyService, in state: inout State) {
    state.kept.append(assignment)
    current.store(assignment.bits, ordering: .releasing)
  }

  /// The process's instances, oldest first. A read outside all scopes finds the last one.
  var assignments: [AnyService] { guarded.withLock { $0.kept.map(\.self) } }
}

/// A protocol to which only `Optional` types conform. A cast to it shows that a type is an
/// `Optional` of any type; the value of such a type may be an `AmbientService`.
private protocol MaybeService {}

extension Optional: MaybeService {}
