// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// A time that differs from another time by a constant offset.
public final class OffsetTime: Time, @unchecked Sendable {
  private let base: Time
  private let offset: Duration

  /// Creates a time that adds `offset` to the wall time and to the monotonic time of `base`.
  ///
  /// - Parameters:
  ///   - base: The time from which this time differs.
  ///   - offset: The offset from the times of `base`; negative if this time is earlier.
  public init(of base: Time, by offset: Duration) {
    self.base = base
    self.offset = offset
  }

  /// The base's wall time plus the offset.
  public override var now: Date { Date(sinceReferenceDate: wall) }

  /// The base's monotonic time plus the offset.
  public override var uptime: Duration { base.uptime.plus(offset) }

  /// Sleeps on the base until the base's monotonic time is `deadline` minus the offset.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time, of this clock, at which the sleep ends.
  ///   - tolerance: How late the wake-up may be; nil leaves it to the system.
  ///   - caller: The call site of the sleep, for reports.
  /// - Throws: The error that the base's sleep throws, such as `CancellationError`.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try await base.sleep(untilUptime: deadline.minus(offset), tolerance: tolerance, caller: caller)
  }

  override var wall: Duration { base.wall.plus(offset) }

  override func uptime(at date: Date) -> Duration {
    uptime.plus(date.sinceReferenceDate.minus(wall))
  }

  override func sleep(untilLimit deadline: Duration, caller: SourcePlace) async throws -> Bool {
    try await base.sleep(untilLimit: deadline.minus(offset), caller: caller)
  }

  /// The lead of the base, because both clocks of this time are ahead of the base's by the same.
  override var lead: Duration { base.lead }

  override package var scope: (any VirtualScope)? { base.scope }

  override package var isOfAmbient: Bool { base.isOfAmbient }

  /// Whether the base stands still.
  public override var standsStill: Bool { base.standsStill }
}
