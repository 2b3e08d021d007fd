/// What the scopes around a task bind: an immutable chain, innermost first.
///
/// Finding a slot counts no reference: on an object that threads share, that is what does not
/// scale.
final class Bindings: Sendable {
  /// The number of the one context that is bound (`Time.freeze`); zero if all of them are.
  private let context: Int
  /// The context's slot, or the `Isolation` that has a slot for each.
  private let bound: any AnyObject & Sendable
  private let outer: Bindings?

  /// A block that binds one context, inside the scope in force.
  init<Service>(context: Int, slot: Slot<Service>) {
    self.context = context
    bound = slot
    outer = Self.current
  }

  /// A block that binds every context.
  init(_ isolation: Isolation) {
    context = 0
    bound = isolation
    outer = nil
  }

  /// Private, so that nobody binds it without marking the contexts as scoped first.
  @TaskLocal private static var owner: Bindings?
  /// The owner, uncounted. Valid because it is bound inside the owner's block and nowhere else, so
  /// that whatever inherits or copies the one task-local has the other, too.
  @TaskLocal private static var reference: Unmanaged<Bindings>?

  static var current: Bindings? { owner }

  /// The slot that the innermost scope gives the context, if a scope here binds it.
  ///
  /// It is valid for as long as the caller stays in the scope.
  static func slot<Service>(
    _ context: Int, _ inForce: InForce<Service>?
  ) -> Unmanaged<Slot<Service>>? {
    reference?._withUnsafeGuaranteedRef { $0.slot(context, inForce) }
  }

  private func slot<Service>(
    _ context: Int, _ inForce: InForce<Service>?
  ) -> Unmanaged<Slot<Service>>? {
    if self.context == context {
      // Valid because numbers are unique: only the context with this number made the slot.
      return .passUnretained(unsafeDowncast(bound, to: Slot<Service>.self))
    }
    if self.context == 0 {
      // Valid because zero says what it is, and this object holds it.
      return Unmanaged.passUnretained(unsafeDowncast(bound, to: Isolation.self))
        ._withUnsafeGuaranteedRef { $0.slot(context, inForce) }
    }
    return outer?.slot(context, inForce)
  }

  static func with<R, E: Error>(
    _ bindings: Bindings?, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try $owner.withValue(bindings) {
      $reference.withValue(bindings.map { .passUnretained($0) }) { () -> Result<R, E> in
        do throws(E) { return .success(try body()) } catch { return .failure(error) }
      }
    }.get()
  }

  static func with<R, E: Error>(
    _ bindings: Bindings?, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await $owner.withValue(bindings) {
      await $reference.withValue(bindings.map { .passUnretained($0) }) { await outcome(body) }
    }
    return try result.get()
  }

  /// `TaskLocal.withValue` loses the type of an error, so errors pass through it as values.
  static func outcome<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async -> Result<R, E> {
    do throws(E) { return .success(try await body()) } catch { return .failure(error) }
  }
}
