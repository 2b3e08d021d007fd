/// What the scopes around a task bind: an immutable list, innermost first, each context once.
///
/// A scope that binds what is bound already leaves the old slot out, so that a task that renews
/// itself in a scope of its own holds no more than the last one.
@usableFromInline
final class Bindings: Sendable {
  /// The entry of the one context that is bound; `nil` if all of them are, or none.
  private let entry: Unmanaged<ContextEntry>?
  /// The context's `Slot`, or the `Isolation` that has a slot for each.
  private let bound: (any AnyObject & Sendable)?
  private let next: Bindings?

  private init(
    _ entry: Unmanaged<ContextEntry>?, _ bound: (any AnyObject & Sendable)?, next: Bindings?
  ) {
    self.entry = entry
    self.bound = bound
    self.next = next
  }

  /// What is bound outside all scopes.
  static let none = Bindings(nil, nil, next: nil)

  /// A block that binds one context, inside what `outer` binds.
  convenience init(_ slot: Slot, in outer: Bindings) {
    self.init(slot.entry, slot, next: outer.bound == nil ? nil : outer.without(slot.entry))
  }

  /// A block that binds every context.
  convenience init(_ isolation: Isolation) { self.init(nil, isolation, next: nil) }

  /// The same without the context: a copy of what stands before it, and the rest.
  ///
  /// A slot's guest stays, unless it is bound further in.
  private func without(
    _ entry: Unmanaged<ContextEntry>, keepsGuest: Bool = true
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

  /// The slot of the context, if it is what this element binds.
  private func slot(of entry: Unmanaged<ContextEntry>) -> Unmanaged<Slot>? {
    guard let bound, self.entry?.toOpaque() == entry.toOpaque() else { return nil }
    // Valid because the entry says what it is.
    return .passUnretained(unsafeDowncast(bound, to: Slot.self))
  }

  /// The isolation, if it is what this element binds.
  private var isolation: Unmanaged<Isolation>? {
    guard let bound, entry == nil else { return nil }
    // Valid because no entry says what it is.
    return .passUnretained(unsafeDowncast(bound, to: Isolation.self))
  }

  private var uncountedNext: Unmanaged<Bindings>? { next.map { .passUnretained($0) } }
}

extension Bindings {
  /// Private, so that nobody binds it without counting the slots first.
  @TaskLocal private static var owner: Bindings = .none
  /// The owner's bit pattern; zero for none. Not counted: to count on an object that threads share
  /// does not scale. Valid because it is bound inside the owner's block and nowhere else, so that
  /// whatever inherits or copies the one task-local has the other, too.
  @TaskLocal private static var reference: UInt = 0

  @usableFromInline static var current: Bindings { reference == 0 ? none : owner }

  /// The context's slot in the innermost scope here that has one; valid for as long as the caller
  /// stays in the scope.
  static func slot(of entry: ContextEntry) -> Unmanaged<Slot>? {
    let entry = Unmanaged.passUnretained(entry)
    var element = innermost
    // One load a look, since the compiler counts a reference for two.
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

  /// The slot of the context's host, if it stands further in than the context's own.
  static func host(of entry: ContextEntry) -> Unmanaged<Slot>? {
    guard let host = entry.host else { return nil }
    var element = innermost
    while let current = element {
      if let slot = current._withUnsafeGuaranteedRef({ $0.slot(of: host) }) { return slot }
      let isOwn = current._withUnsafeGuaranteedRef { $0.slot(of: .passUnretained(entry)) != nil }
      element = isOwn ? nil : current._withUnsafeGuaranteedRef(\.uncountedNext)
    }
    return nil
  }

  /// The isolating scope here, if there is one; valid for as long as the caller stays in it.
  static var isolation: Unmanaged<Isolation>? {
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

  /// Runs `body` where `bindings` are in force.
  ///
  /// Inlinable, so that the types are known: what is not generic is called with a closure that
  /// leaves its result here.
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
    // Set above, if there was no error.
    return result.unsafelyUnwrapped
  }

  /// Runs `body` where `bindings` are in force.
  @inlinable
  static func with<R, E: Error>(
    _ bindings: Bindings, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: R?
    var failure: E?
    await enter(bindings) {
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

  @usableFromInline
  static func enter(
    _ bindings: Bindings, _ body: nonisolated(nonsending) () async -> Void
  ) async {
    await $owner.withValue(bindings) { await $reference.withValue(bindings.bits) { await body() } }
  }
}
