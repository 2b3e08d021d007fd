/// How large a request may be for a server that has called one too large.
///
/// It is halved when a request is too large, and doubled again when enough of those that use more
/// than half of it were taken: the limit may have been another server's, behind the same address.
/// If that turns out to be too large, more have to be taken before the next attempt.
struct RequestCeiling {
  /// How many bytes.
  private(set) var bytes = Int.max
  private var accepted = 0
  private var needed = Self.leastNeeded
  private var hasGrown = false

  private static var leastNeeded: Int { 32 }
  private static var mostNeeded: Int { 4_096 }

  /// Notes that a request of so many bytes was too large.
  mutating func noteTooLarge(_ count: Int) {
    if hasGrown { needed = min(needed * 2, Self.mostNeeded) }
    bytes = max(count / 2, 1)
    accepted = 0
    hasGrown = false
  }

  /// Notes that a request of so many bytes was taken.
  mutating func noteAccepted(_ count: Int) {
    guard bytes < .max, count > bytes / 2 else { return }
    if hasGrown { (needed, hasGrown) = (Self.leastNeeded, false) }
    accepted += 1
    guard accepted >= needed else { return }
    bytes = bytes > .max / 2 ? .max : bytes * 2
    accepted = 0
    hasGrown = true
  }
}
