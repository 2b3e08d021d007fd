// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// A time that runs faster or slower than another time, its base, from the moment it is made.
///
/// At a factor of 60, a minute of this time passes in a second of the base, and a sleep of a minute
/// takes a second. The wall clock and the monotonic clock start at the values of the base's clocks.
/// If the base's wall clock is set, the wall clock of this time moves by the same amount.
public final class ScaledTime: Time, @unchecked Sendable {
  private let base: Time
  private let factor: Double
  private let origin: Duration

  /// Creates a time that runs `factor` times as fast as `base`, beginning now.
  ///
  /// - Parameters:
  ///   - base: The time to scale.
  ///   - factor: The seconds of this time that pass in one second of the base; above zero.
  /// - Throws: ``SettingError`` if the factor is not a finite number above zero.
  public init(of base: Time, by factor: Double) throws(SettingError) {
    guard factor > 0, factor.isFinite else {
      let fault = """
        is no factor of time: give a finite number above 0, such as 60 or 0.5; for time that stands \
        still use Time.freeze(at:)
        """
      throw SettingError(.factor, "\(factor)", fault)
    }
    self.base = base
    self.factor = factor
    origin = base.uptime
  }

  /// The wall time of the base, plus the time that has passed on this clock since it was made,
  /// minus the time that has passed on the base since then.
  public override var now: Date { Date(sinceReferenceDate: wall) }

  /// The monotonic time, which passes `factor` times as fast as that of the base.
  public override var uptime: Duration {
    origin.plus(base.uptime.minus(origin).scaled(by: factor))
  }

  /// Sleeps on the base for the duration divided by the factor.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time of this clock to wait for.
  ///   - tolerance: How late the wake-up may be, measured on this clock; nil leaves it to the
  ///     system.
  ///   - caller: The source location of the call, for reports.
  /// - Throws: The error that the base's sleep throws, such as `CancellationError`.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try await base.sleep(
      untilUptime: baseUptime(at: deadline), tolerance: tolerance.map { $0.scaled(by: 1 / factor) },
      caller: caller)
  }

  override var wall: Duration {
    let elapsed = base.uptime.minus(origin)
    return base.wall.plus(elapsed.scaled(by: factor).minus(elapsed))
  }

  override func uptime(at date: Date) -> Duration {
    uptime.plus(date.sinceReferenceDate.minus(wall))
  }

  override func sleep(untilLimit deadline: Duration, caller: SourcePlace) async throws -> Bool {
    try await base.sleep(untilLimit: baseUptime(at: deadline), caller: caller)
  }

  /// The base's monotonic time at which this time reaches `deadline`. Rounded up, so that the
  /// deadline has passed when the base's sleep ends.
  private func baseUptime(at deadline: Duration) -> Duration {
    let rest = deadline.minus(origin)
    // A deadline before the origin is past in any case; dividing a long negative duration could
    // overflow.
    guard rest > .zero else { return origin }
    // A quotient beyond the range of a duration becomes a sleep without end.
    return rest / .seconds(1) / factor < 1e18
      ? origin.plus(max((rest / factor).nanosecondsRoundedUp, .nanoseconds(1)))
      : .seconds(Int64.max / 2)
  }

  /// The lead of the base, because both clocks of this time are ahead of the base's by the same.
  override var lead: Duration { base.lead }

  override package var scope: (any VirtualScope)? { base.scope }

  override package var isOfAmbient: Bool { base.isOfAmbient }

  /// Whether the base stands still.
  public override var standsStill: Bool { base.standsStill }
}
