internal import Ambient

/// A stretch of monotonic time, half-open: it ends when it should, whatever the wall clock does.
///
/// It is meaningful within one run of the machine only.
public struct Hold: Hashable, Sendable {
  /// The uptime at which it began.
  public let start: Duration
  /// How long it lasts.
  public let length: Duration

  /// The hold of that length that begins now.
  public init(lasting length: Duration) {
    start = Time.uptime
    self.length = length
  }

  /// Whether it lasts still.
  public var isHeld: Bool { isHeld(at: Time.uptime) }

  func isHeld(at uptime: Duration) -> Bool { uptime - start < length }
}
