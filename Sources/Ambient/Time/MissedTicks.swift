/// What a timer does about ticks that came while nobody waited for them.
///
/// Say a timer ticks every 10 s, and its loop is busy from its first tick, at 10, until 35.
public enum MissedTicks: Hashable, Sendable, CaseIterable {
  /// Ticks at once for each tick that was missed, then in the old rhythm: at 10, 35, 35, 40, 50.
  case burst
  /// Ticks once at once, and takes up a new rhythm from there: at 10, 35, 45, 55.
  case delay
  /// Ticks once at once, then in the old rhythm: at 10, 35, 40, 50.
  case skip
}
