// SPDX-License-Identifier: Apache-2.0

/// The bindings of the scopes around a task: an immutable list, with the innermost scope first.
///
/// A new scope leaves out the element of an outer scope for the same context. Otherwise a chain of
/// tasks, each started in a new scope within the scope of the task before, would hold ever more
/// slots.
///
/// A scope of the log also binds a second context, the metadata; a scope of analytics also binds
/// the user. An assignment to the second context ends with the scope. The slot of the second
/// context is made at that assignment, since few scopes have one. Until then, a read of the second
/// context finds its outer binding.
@usableFromInline
final class Bindings: Sendable {
  /// The entry of the bound context; nil for an isolating scope, which binds all contexts.
  private let entry: Unmanaged<ProcessSlot>?
  /// The entry of the second bound context; nil for most scopes.
  private let second: Unmanaged<ProcessSlot>?
  /// The context's `ScopeSlot`, or an `IsolatedSlots`, which has a slot for each context.
  private let bound: any AnyObject & Sendable
  private let next: Bindings?

  private init(
    _ entry: Unmanaged<ProcessSlot>?, with second: Unmanaged<ProcessSlot>? = nil,
    _ bound: any AnyObject & Sendable, next: Bindings?
  ) {
    self.entry = entry
    self.second = second
    self.bound = bound
    self.next = next
  }

  /// The caller's bindings, with one context bound by `slot`, and a second that has no slot yet.
  ///
  /// If the second context's outer slot belongs to the element that is left out, the slot takes the
  /// place behind the new element.
  convenience init(_ slot: ScopeSlot, with second: Unmanaged<ProcessSlot>?) {
    var next = Self.current?.without(slot.entry)
    if let second, second._withUnsafeGuaranteedRef(\.hasSlots),
      let outer = Self.slot(of: second, from: Self.innermost),
      outer.toOpaque() != Self.slot(of: second, from: next.map { .passUnretained($0) })?.toOpaque()
    {
      next = Bindings(second, outer.takeUnretainedValue(), next: next?.without(second))
    }
    self.init(slot.entry, with: second, slot, next: next)
  }

  /// The bindings of an isolating scope, which binds every context.
  convenience init(_ isolation: IsolatedSlots) { self.init(nil, isolation, next: nil) }

  /// A list like this one, in which a new isolating scope takes the place of the present one. Nil
  /// if no scope isolates.
  fileprivate func renewed() -> Bindings? {
    guard entry != nil else { return Bindings(IsolatedSlots()) }
    return next?.renewed().map { Bindings(entry, with: second, bound, next: $0) }
  }

  /// Returns a list without the element whose first context is that of `entry`. The new list has
  /// copies of the elements before that element, and shares the elements after it with this list.
  private func without(_ entry: Unmanaged<ProcessSlot>) -> Bindings? {
    if isOf(entry) { return next }
    guard let next else { return self }
    let rest = next.without(entry)
    return rest === next ? self : Bindings(self.entry, with: second, bound, next: rest)
  }

  private func isOf(_ entry: Unmanaged<ProcessSlot>) -> Bool {
    self.entry?.toOpaque() == entry.toOpaque()
  }

  private func isSecond(_ entry: Unmanaged<ProcessSlot>) -> Bool {
    second?.toOpaque() == entry.toOpaque()
  }

  /// The slot of the first context. Only an element that has an entry has one.
  private var first: Unmanaged<ScopeSlot> {
    // Safe downcast: an element that has an entry binds a ScopeSlot.
    .passUnretained(unsafeDowncast(bound, to: ScopeSlot.self))
  }

  /// The slots of the isolating scope that this element binds; nil if it binds single contexts.
  private var isolation: Unmanaged<IsolatedSlots>? {
    guard entry == nil else { return nil }
    // Safe downcast: an element without an entry binds an IsolatedSlots.
    return .passUnretained(unsafeDowncast(bound, to: IsolatedSlots.self))
  }

  /// The context's slot in this element's scope; nil if the scope has none.
  private func slot(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<ScopeSlot>? {
    if isOf(entry) { return first }
    if isSecond(entry) { return first._withUnsafeGuaranteedRef(\.second) }
    return isolation?._withUnsafeGuaranteedRef { $0.slot(of: entry) }
  }

  /// Returns the slot of a context that this element's scope binds. If the scope has none yet, adds
  /// a slot that holds `assignment`, whose installation the caller has already counted.
  func slot(
    of entry: Unmanaged<ProcessSlot>, holding assignment: AnyService
  ) -> (slot: ScopeSlot, isNew: Bool) {
    if isOf(entry) { return (first.takeUnretainedValue(), false) }
    return isolation?._withUnsafeGuaranteedRef { $0.slot(of: entry, holding: assignment) }
      ?? first._withUnsafeGuaranteedRef { $0.second(of: entry, holding: assignment) }
  }

  private var uncountedNext: Unmanaged<Bindings>? { next.map { .passUnretained($0) } }
}

extension Bindings {
  /// The current bindings; nil outside all scopes. The property is private, so that only `enter`
  /// binds it.
  ///
  /// Before `enter` is called, the `ProcessSlot` of each bound context records that a scope is
  /// alive: it has counted the scope's slot or, for an isolating scope, is marked as isolated. A
  /// read of such a context therefore always searches the bindings for the scope.
  @TaskLocal private static var owner: Bindings?
  /// The bit pattern of `owner`; zero for nil. Readers use the object without retaining it,
  /// because retaining an object that threads share does not scale. The object stays valid because
  /// `owner` retains it. `reference` is bound only inside the block that binds `owner`, so a task
  /// that inherits or copies one of these two task-locals has both.
  @TaskLocal private static var reference: UInt = 0

  /// The key by which the runtime finds the value of `reference`. It has none in a detached task,
  /// other than in a block that binds nil.
  static var key: UnsafeMutableRawPointer { Unmanaged.passUnretained($reference).toOpaque() }

  @usableFromInline static var current: Bindings? { reference == 0 ? nil : owner }

  /// The current bindings with a new isolating scope instead of the present one, if there is one.
  static var renewed: Bindings? { current?.renewed() ?? current }

  /// The context's slot in the innermost scope that has a slot for it; valid while the caller is in
  /// that scope.
  static func slot(of entry: ProcessSlot) -> Unmanaged<ScopeSlot>? {
    slot(of: .passUnretained(entry), from: innermost)
  }

  private static func slot(
    of entry: Unmanaged<ProcessSlot>, from element: Unmanaged<Bindings>?
  ) -> Unmanaged<ScopeSlot>? {
    var element = element
    while let current = element {
      if let slot = current._withUnsafeGuaranteedRef({ $0.slot(of: entry) }) { return slot }
      element = current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return nil
  }

  /// The element of the innermost scope that binds the context, and thus keeps an assignment to it;
  /// valid while the caller is in that scope.
  static func scope(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<Bindings>? {
    innermost { $0.isOf(entry) || $0.isSecond(entry) || $0.isolation != nil }
  }

  /// The innermost isolating scope around the caller, or nil; valid while the caller stays in that
  /// scope.
  static var isolation: Unmanaged<IsolatedSlots>? {
    innermost { $0.isolation != nil }?._withUnsafeGuaranteedRef(\.isolation)
  }

  /// The element of the innermost scope that meets the condition.
  private static func innermost(_ condition: (Bindings) -> Bool) -> Unmanaged<Bindings>? {
    var element = innermost
    while let current = element, !current._withUnsafeGuaranteedRef(condition) {
      element = current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return element
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
    _ bindings: Bindings?, _ body: () throws(E) -> R
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
  ///
  /// The asynchronous scope functions, which call this, are `@_disfavoredOverload`. Without that
  /// attribute, the compiler chooses them in an asynchronous function for a synchronous block, and
  /// demands `await`.
  @inlinable
  static func with<R, E: Error>(
    _ bindings: Bindings?, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: R?
    var failure: E?
    await enter(bindings, #isolation) {
      do throws(E) { result = try await body() } catch { failure = error }
    }
    if let failure { throw failure }
    return result.unsafelyUnwrapped
  }

  private static func bits(_ bindings: Bindings?) -> UInt {
    bindings.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  @usableFromInline
  static func enter(_ bindings: Bindings?, _ body: () -> Void) {
    $owner.withValue(bindings) { $reference.withValue(bits(bindings)) { body() } }
  }

  /// Each closure captures the isolated parameter. The compiler (6.3) otherwise runs a closure that
  /// `TaskLocal.withValue` gets off the caller's actor, and `body` with it.
  @usableFromInline
  static func enter(
    _ bindings: Bindings?, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async -> Void
  ) async {
    await $owner.withValue(bindings) {
      _ = isolation
      await $reference.withValue(bits(bindings)) {
        _ = isolation
        await body()
      }
    }
  }
}
