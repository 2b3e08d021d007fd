/// What the scopes around a task bind: an immutable chain, innermost first.
indirect enum Bindings: Sendable {
  /// A block that binds one context (`Time.freeze`).
  case one(context: Int, slot: any AnyObject & Sendable, outer: Bindings?)
  /// A block that binds every context.
  case all(Isolation)

  /// Private, so that nobody binds it without marking the contexts as scoped first.
  @TaskLocal private static var bound: Bindings?

  static var current: Bindings? { bound }

  /// The slot that the innermost scope gives the context, if a scope here binds it.
  func slot<Service>(_ context: Int) -> Slot<Service>? {
    var next: Bindings? = self
    while let bindings = next {
      switch bindings {
      case .one(let bound, let slot, let outer):
        // Valid because numbers are unique: only the context with this number made the slot.
        if bound == context { return unsafeDowncast(slot, to: Slot<Service>.self) }
        next = outer
      case .all(let isolation):
        return isolation.slot(context)
      }
    }
    return nil
  }

  static func with<R, E: Error>(
    _ bindings: Bindings?, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try $bound.withValue(bindings) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }.get()
  }

  static func with<R, E: Error>(
    _ bindings: Bindings?, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await $bound.withValue(bindings) { await outcome(body) }
    return try result.get()
  }

  /// `TaskLocal.withValue` loses the type of an error, so errors pass through it as values.
  private static func outcome<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async -> Result<R, E> {
    do throws(E) { return .success(try await body()) } catch { return .failure(error) }
  }
}
