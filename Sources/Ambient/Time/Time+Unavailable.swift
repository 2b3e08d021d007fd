// Unavailable overloads for the wrong forms that users try first, for example those of Timecop and
// freezegun. Without these overloads, the compiler rejects most of the forms, but fails to produce
// a diagnostic that says why. A form of `freeze` or `travel` with a block has two overloads, for
// synchronous and for asynchronous blocks: with only one of them, a call with the other kind of
// block would get no explanation.

@available(*, unavailable, message: "the instant has a label: Time.freeze(at: …) { … }")
extension Time {
  public static func freeze<Instant, R>(_ instant: Instant, _ body: () throws -> R) -> R {
    fatalError("unavailable")
  }

  public static func freeze<Instant, R>(
    _ instant: Instant, _ body: nonisolated(nonsending) () async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }
}

@available(*, unavailable, message: "time stands still at an instant: Time.freeze(at: …) { … }")
extension Time {
  public static func freeze<Instant, R>(to instant: Instant, _ body: () throws -> R) -> R {
    fatalError("unavailable")
  }

  public static func freeze<Instant, R>(
    to instant: Instant, _ body: nonisolated(nonsending) () async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }
}

@available(
  *, unavailable,
  message:
    "time stands still for a block, Time.freeze(at: …) { … }; for a test use the trait .frozen(at: …)"
)
extension Time {
  public static func freeze<Instant>(_ instant: Instant) {}

  public static func freeze<Instant>(at instant: Instant) {}
}

@available(
  *, unavailable, message: "the instant has a label: Time.travel(to: …) { … }, or travel(by: …)"
)
extension Time {
  public static func travel<Instant, R>(_ instant: Instant, _ body: () throws -> R) -> R {
    fatalError("unavailable")
  }

  public static func travel<Instant, R>(
    _ instant: Instant, _ body: nonisolated(nonsending) () async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }
}

@available(*, unavailable, message: "one travels to an instant: Time.travel(to: …) { … }")
extension Time {
  public static func travel<Instant, R>(at instant: Instant, _ body: () throws -> R) -> R {
    fatalError("unavailable")
  }

  public static func travel<Instant, R>(
    at instant: Instant, _ body: nonisolated(nonsending) () async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }
}

@available(*, unavailable, message: "one travels for a block: Time.travel(to: …) { … }")
extension Time {
  public static func travel<Instant>(_ instant: Instant) {}

  public static func travel<Instant>(to instant: Instant) {}
}

/// Not a type to use: the compiler's error names it where a program uses virtual time without
/// `import AmbientVirtualTime`.
public enum _ImportAmbientVirtualTime {
  /// The ways in which time advances, for calls that name one.
  public enum Advances { case byItself, byHand }
}

@available(
  *, unavailable,
  message:
    "virtual time is a module: import AmbientVirtualTime, a product of Ambient; AmbientTesting has it, too"
)
extension Time {
  public static func virtual<Instant, R>(
    from instant: Instant, advances: _ImportAmbientVirtualTime.Advances = .byItself,
    seed: UInt64 = 0, limit: Duration = .zero, patience: Duration = .zero,
    _ body: (_ImportAmbientVirtualTime) async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }

  public static func virtual<R>(
    _ body: (_ImportAmbientVirtualTime) async throws -> R
  ) async -> R {
    fatalError("unavailable")
  }
}
