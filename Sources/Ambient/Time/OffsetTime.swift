#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Another time, moved by a constant: it runs on from there.
public final class OffsetTime: Time, @unchecked Sendable {
  private let base: Time
  private let offset: Duration

  /// The time `offset` after `base`, or before it if negative, on both clocks.
  public init(of base: Time, by offset: Duration) {
    self.base = base
    self.offset = offset
  }

  /// The wall time of the base, moved.
  public override var now: Date { base.now.advanced(by: offset) }

  /// The monotonic time of the base, moved.
  public override var uptime: Duration { base.uptime + offset }

  /// Sleeps as long as on the base.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try await base.sleep(untilUptime: deadline - offset, tolerance: tolerance, caller: caller)
  }

  override func uptime(at date: Date) -> Duration { uptime + .exact(from: now, to: date) }

  override func seededBits() -> IdentifierSource.Bits? { base.seededBits() }

  override var virtual: VirtualTime? { base.virtual }
}
