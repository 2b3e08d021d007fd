#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The text of one second, as `2026-11-27T05:00:00`, kept for the other instants in it.
struct SecondText {
  /// When the second began, in seconds since 2001.
  private let start: Double
  /// By how many seconds the clock whose text this is goes ahead of UTC.
  private let ahead: Int
  /// The text, in memory that needs no allocation.
  private var text: (UInt64, UInt64, UInt32) = (0, 0, 0)

  /// The text of the second in which the date lies, on a clock that is so many seconds ahead.
  @inline(never)
  init(_ date: Date, ahead: Int) {
    let (second, whole) = ISO8601Writer.second(of: date, ahead: ahead)
    start = whole
    self.ahead = ahead
    withUnsafeMutableBytes(of: &text) { ISO8601Writer.write(second: second, to: $0) }
  }

  /// Whether the date lies in the second.
  @inline(__always)
  func holds(_ date: Date, ahead: Int) -> Bool {
    let fraction = date.timeIntervalSinceReferenceDate - start
    return fraction >= 0 && fraction < 1 && ahead == self.ahead
  }

  /// Writes the text, `.` and the microseconds of the date to the start of `bytes`: 26 of them.
  @inline(__always)
  func write(_ date: Date, to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: text.0, toByteOffset: 0, as: UInt64.self)
    bytes.storeBytes(of: text.1, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: text.2, toByteOffset: 16, as: UInt32.self)
    _ = ISO8601Writer.putFraction(date.timeIntervalSinceReferenceDate - start, 6, bytes)
  }
}
