// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import Synchronization

/// The UTC offset of a time zone. Caches the offset of one second, because a look-up may read a
/// file.
final class ZoneOffset: Sendable {
  let zone: LogZone
  let isUTC: Bool
  /// The latest look-up. The upper bits hold the second, shifted left by `bits`; the lower bits
  /// hold the offset plus `bias`. Zero if no second was looked up.
  private let cached = Atomic<UInt64>(0)

  init(_ zone: LogZone) {
    self.zone = zone
    isUTC = zone == .utc
  }

  /// The offset at that instant, in seconds east of Greenwich.
  func seconds(at date: Date) -> Int {
    if isUTC { return 0 }
    // The interval is clamped, so that it fits an `Int`. The limits lie outside the years 1 to
    // 9999, the only years that a timestamp shows. NaN fails the comparison and becomes the lower
    // limit.
    let since = date.timeIntervalSince1970
    let interval = since > -63_000_000_000 ? min(since, 254_000_000_000) : -63_000_000_000
    let second = Int(interval.rounded(.down))
    let key = UInt64(truncatingIfNeeded: second) << Self.bits
    let known = cached.load(ordering: .relaxed)
    let mask: UInt64 = (1 << Self.bits) - 1
    if known & ~mask == key, known & mask != 0 { return Int(known & mask) - Self.bias }
    let offset = lookUp(date, second)
    cached.store(key | UInt64(offset + Self.bias), ordering: .relaxed)
    return offset
  }

  private static var bits: UInt64 { 18 }
  /// The number added to a cached offset. It is greater than any offset, since offsets are at most
  /// a day, so that the sum is always positive.
  private static var bias: Int { 100_000 }

  private func lookUp(_ date: Date, _ second: Int) -> Int {
    let offset =
      switch zone {
      case .utc: 0
      case .local: SystemClock.offset(atSecond: second)
      case .timeZone(let zone): zone.secondsFromGMT(for: date)
      }
    return min(max(offset, -86_400), 86_400)
  }
}

extension ZoneOffset: Hashable {
  static func == (left: ZoneOffset, right: ZoneOffset) -> Bool { left.zone == right.zone }

  func hash(into hasher: inout Hasher) { hasher.combine(zone) }
}
