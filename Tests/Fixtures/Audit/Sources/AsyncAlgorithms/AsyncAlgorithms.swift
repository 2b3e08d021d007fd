// Declarations with the names that swift-async-algorithms gives them.

extension AsyncSequence {
  public func debounce(for interval: Duration, tolerance: Duration? = nil) -> Self
  where Self: Sendable, Self.Element: Sendable { self }

  public func debounce<C: Clock>(
    for interval: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C
  ) -> Self where Self: Sendable, Self.Element: Sendable { self }

  public func _throttle(for interval: Duration, latest: Bool = true) -> Self { self }

  public func _throttle<C: Clock>(
    for interval: C.Instant.Duration, clock: C, latest: Bool = true
  ) -> Self { self }
}

public struct AsyncTimerSequence<C: Clock> {
  public static func repeating(
    every interval: C.Instant.Duration, tolerance: C.Instant.Duration? = nil, clock: C
  ) -> AsyncTimerSequence { AsyncTimerSequence() }
}

extension AsyncTimerSequence where C == SuspendingClock {
  public static func repeating(every interval: Duration, tolerance: Duration? = nil)
    -> AsyncTimerSequence
  { AsyncTimerSequence() }
}
