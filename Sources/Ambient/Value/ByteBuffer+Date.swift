#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ByteBuffer where Self: ~Copyable {
  /// Appends the instant in ISO 8601, in UTC.
  mutating func append(date: Date, fractionDigits: Int = 3) {
    append(capacity: ISO8601Writer.capacity) { bytes in
      ISO8601Writer.write(date, fractionDigits: fractionDigits, to: bytes)
    }
  }
}
