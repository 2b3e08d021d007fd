/// The bindings of the scopes around a task: an immutable list, with the innermost scope first. The
/// list contains at most one `ScopeSlot` of each context.
///
/// A new scope leaves out the slot of an outer scope for the same context. Otherwise a chain of
/// tasks, each started in a new scope within the scope of the task before, would hold ever more
/// slots.
@usableFromInline
final class Bindings: Sendable {
  /// The entry of the bound context; `nil` for an isolating scope, which binds all contexts, and
  /// for `none`.
  private let entry: Unmanaged<ProcessSlot>?
  /// The context's `ScopeSlot`, or an `IsolatedSlots`, which has a slot for each context; nil for
  /// `none`.
  private let bound: (any AnyObject & Sendable)?
  private let next: Bindings?

  private init(
    _ entry: Unmanaged<ProcessSlot>?, _ bound: (any AnyObject & Sendable)?, next: Bindings?
  ) {
    self.entry = entry
    self.bound = bound
    self.next = next
  }

  /// The empty bindings, outside all scopes.
  static let none = Bindings(nil, nil, next: nil)

  /// The bindings of `outer`, with one context bound by `slot`.
  convenience init(_ slot: ScopeSlot, in outer: Bindings) {
    self.init(slot.entry, slot, next: outer.bound == nil ? nil : outer.without(slot.entry))
  }

  /// The bindings of an isolating scope, which binds every context.
  convenience init(_ isolation: IsolatedSlots) { self.init(nil, isolation, next: nil) }

  /// Returns a list without the slot of `entry`. The new list has copies of the elements before
  /// that slot, and shares the elements after the slot with this list.
  ///
  /// If the slot has a guest (the slot of the context that `entry` hosts), the guest takes the
  /// slot's place in the new list, and an outer slot of the guest's context is left out in the same
  /// way. The guest is left out if an inner element binds the guest's context.
  private func without(
    _ entry: Unmanaged<ProcessSlot>, keepsGuest: Bool = true
  ) -> Bindings? {
    if let left = slot(of: entry) {
      let guest = left._withUnsafeGuaranteedRef(\.guest)?.takeUnretainedValue()
      guard keepsGuest, let guest else { return next }
      return Bindings(guest.entry, guest, next: next?.without(guest.entry))
    }
    guard let next else { return self }
    let host = self.entry?._withUnsafeGuaranteedRef(\.host)
    let rest = next.without(
      entry, keepsGuest: keepsGuest && host?.toOpaque() != entry.toOpaque())
    return rest === next ? self : Bindings(self.entry, bound, next: rest)
  }

  /// The slot of this element, if the element binds the context; otherwise nil.
  private func slot(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<ScopeSlot>? {
    guard let bound, self.entry?.toOpaque() == entry.toOpaque() else { return nil }
    // Safe downcast: an element that has an entry binds a ScopeSlot.
    return .passUnretained(unsafeDowncast(bound, to: ScopeSlot.self))
  }

  /// The slots of the isolating scope that this element binds; nil if it binds a single context.
  private var isolation: Unmanaged<IsolatedSlots>? {
    guard let bound, entry == nil else { return nil }
    // Safe downcast: an element that binds an object but has no entry binds an IsolatedSlots.
    return .passUnretained(unsafeDowncast(bound, to: IsolatedSlots.self))
  }

  private var uncountedNext: Unmanaged<Bindings>? { next.map { .passUnretained($0) } }
}

extension Bindings {
  /// The current bindings. The property is private, so that only `enter` binds it.
  ///
  /// Before `enter` is called, the `ProcessSlot` of each bound context records that a scope is
  /// alive: it has counted the scope's slot or, for an isolating scope, is marked as isolated. A
  /// read of such a context therefore always searches the bindings for the scope.
  @TaskLocal private static var owner: Bindings = .none
  /// The bit pattern of `owner`; zero for none. Readers use the object without retaining it,
  /// because retaining an object that threads share does not scale. The object stays valid because
  /// `owner` retains it. `reference` is bound only inside the block that binds `owner`, so a task
  /// that inherits or copies one of these two task-locals has both.
  @TaskLocal private static var reference: UInt = 0

  @usableFromInline static var current: Bindings { reference == 0 ? none : owner }

  /// The context's slot in the innermost scope that has a slot for it; valid while the caller is in
  /// that scope.
  static func slot(of entry: ProcessSlot) -> Unmanaged<ScopeSlot>? {
    let entry = Unmanaged.passUnretained(entry)
    var element = innermost
    // The host is loaded once, before the loop. If one closure made two loads, the compiler would
    // retain the entry.
    let host = entry._withUnsafeGuaranteedRef(\.host)
    while let current = element {
      if let slot = current._withUnsafeGuaranteedRef({ $0.slot(of: entry) }) { return slot }
      if let host, let slot = current._withUnsafeGuaranteedRef({ $0.slot(of: host) }),
        let guest = slot._withUnsafeGuaranteedRef(\.guest)
      {
        return guest
      }
      if let isolation = current._withUnsafeGuaranteedRef(\.isolation) {
        return isolation._withUnsafeGuaranteedRef { $0.slot(of: entry) }
      }
      element = current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return nil
  }

  /// Returns the slot of the context's host in the innermost scope that binds the host. Returns nil
  /// if no scope binds the host, if the innermost scope that binds it is an isolating scope, or if
  /// a scope further inside binds the context itself. An assignment to the context ends with the
  /// scope of the returned slot.
  static func host(of entry: ProcessSlot) -> Unmanaged<ScopeSlot>? {
    guard let host = entry.host else { return nil }
    var element = innermost
    while let current = element {
      if let slot = current._withUnsafeGuaranteedRef({ $0.slot(of: host) }) { return slot }
      let isOwn = current._withUnsafeGuaranteedRef { $0.slot(of: .passUnretained(entry)) != nil }
      element = isOwn ? nil : current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return nil
  }

  /// The innermost isolating scope around the caller, or nil; valid while the caller stays in that
  /// scope.
  static var isolation: Unmanaged<IsolatedSlots>? {
    var element = innermost
    while let current = element {
      if let isolation = current._withUnsafeGuaranteedRef(\.isolation) { return isolation }
      element = current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return nil
  }

  private static var innermost: Unmanaged<Bindings>? {
    UnsafeRawPointer(bitPattern: reference).map { .fromOpaque($0) }
  }

  /// Runs `body` with `bindings` as the current bindings.
  ///
  /// This function is inlinable, so that the compiler knows `R` and `E` at the call. The
  /// non-generic `enter` gets a closure that stores the result or the error in this frame.
  @inlinable
  static func with<R, E: Error>(
    _ bindings: Bindings, _ body: () throws(E) -> R
  ) throws(E) -> R {
    var result: R?
    var failure: E?
    enter(bindings) {
      do throws(E) { result = try body() } catch { failure = error }
    }
    if let failure { throw failure }
    // `result` was set in the closure, since there was no error.
    return result.unsafelyUnwrapped
  }

  /// Runs `body` with `bindings` as the current bindings.
  @inlinable
  static func with<R, E: Error>(
    _ bindings: Bindings, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: R?
    var failure: E?
    await enter(bindings, #isolation) {
      do throws(E) { result = try await body() } catch { failure = error }
    }
    if let failure { throw failure }
    return result.unsafelyUnwrapped
  }

  private var bits: UInt {
    bound == nil ? 0 : UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  @usableFromInline
  static func enter(_ bindings: Bindings, _ body: () -> Void) {
    $owner.withValue(bindings) { $reference.withValue(bindings.bits) { body() } }
  }

  /// Each closure captures the isolated parameter. The compiler (6.3) otherwise runs a closure that
  /// `TaskLocal.withValue` gets off the caller's actor, and `body` with it.
  @usableFromInline
  static func enter(
    _ bindings: Bindings, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async -> Void
  ) async {
    await $owner.withValue(bindings) {
      _ = isolation
      await $reference.withValue(bindings.bits) {
        _ = isolation
        await body()
      }
    }
  }
}
