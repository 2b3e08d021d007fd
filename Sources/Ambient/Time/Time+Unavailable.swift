// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

// Unavailable members that people write first, for example as Timecop and freezegun have them; see
// AmbientService+Unavailable.swift.

@available(
  *, unavailable,
  message: "write freeze(at: date) { … }, travel(to: date) { … } or travel(by: .seconds(1)) { … }"
)
extension Time {
  public static func freeze<R>(_: Any?..., body: () async throws -> R) -> R { fatalError() }
  public static func freeze<R>(to: Any, _: () async throws -> R) -> R { fatalError() }
  public static func freeze(_: Any...) {}
  public static func freeze(at: some CustomStringConvertible) {}
  public static func unfreeze() {}
  public static func reset() {}
  public static func travel<R>(_: Any?..., body: () async throws -> R) -> R { fatalError() }
  public static func travel<R>(_: Duration, _: () async throws -> R) -> R { fatalError() }
  public static func travel<R>(at: Any, _: () async throws -> R) -> R { fatalError() }
  public static func travel(_: Any...) {}
  public static func travel(_: Duration = .zero, by: Duration = .zero) {}
  public static func travel(to: some CustomStringConvertible) {}
}

@available(*, unavailable, message: "write try Time.scale(by: 2) { … }")
extension Time {
  public static func scale<R>(_: Any?..., body: () async throws -> R) -> R { fatalError() }
  public static func scale(_: Any..., by: Double = 0) {}
}

@available(
  *, unavailable, message: "write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }"
)
extension Time {
  public static func sleep(_: Any..., seconds: Any = 0, nanoseconds: Any = 0) {}
  public static func sleep(_: Duration) {}
  public func sleep(_: Any..., seconds: Any = 0) {}
  public func sleep(_: Duration) {}
  public static func timeout<R>(_: Any, _: () async throws -> R) -> R { fatalError() }
  public static func timeout<R>(_: Duration, _: () async throws -> R) -> R { fatalError() }
  public static func timeout<R>(seconds: Any, _: () async throws -> R) -> R { fatalError() }
  public static func timeout<R>(for: Duration, _: () async throws -> R) -> R { fatalError() }
  public static func withTimeout<R>(_: Duration, _: () async throws -> R) -> R { fatalError() }
  public static func withTimeout<R>(after: Duration, _: () async throws -> R) -> R { fatalError() }
}

@available(
  *, unavailable,
  message: "write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)"
)
extension Time {
  public static func advance(_: Any..., by: Any = 0) {}
  public static func advance(_: Duration = .zero, by: Duration = .zero) {}
  public func advance(_: Any..., by: Any = 0, seconds: Any = 0) {}
  public func advance(_: Duration = .zero, by: Duration = .zero) {}
}

@available(*, unavailable, message: "write FixedTime(at: date)")
extension Time { public static func frozen(_: Any..., at: Any = 0) -> Time { fatalError() } }

@available(*, unavailable, message: "write date.advanced(by: .seconds(1))")
extension Date {
  public static func + (_: Date, _: Duration) -> Date { fatalError() }
  public static func - (_: Date, _: Duration) -> Date { fatalError() }
}

/// Not a type to use: the compiler's error names it where a program uses virtual time without
/// `import AmbientVirtualTime`, or with other labels.
public enum _ImportAmbientVirtualTime { case byItself, byHand }

@available(
  *, unavailable,
  message:
    "import AmbientVirtualTime, a product of Ambient; write Time.virtual(from: date) { time in … }"
)
extension Time {
  @_disfavoredOverload
  public static func virtual<R>(
    _: Any..., from: Any = 0, advances: _ImportAmbientVirtualTime = .byItself, seed: UInt64 = 0,
    limit: Duration? = nil, patience: Duration? = nil,
    body: (_ImportAmbientVirtualTime) async throws -> R
  ) -> R { fatalError() }
}
