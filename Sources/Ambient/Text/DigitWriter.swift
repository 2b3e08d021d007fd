// SPDX-License-Identifier: Apache-2.0

/// Writes integers as text without allocating.
enum DigitWriter {
  /// The maximum length of a text: 64 binary digits and a sign.
  static let capacity = 65

  /// Writes the digits to the end of `bytes`, padded with zeros to `minDigits`. Returns the part of
  /// `bytes` that was written.
  ///
  /// `bytes` must have room for ``capacity`` bytes.
  @inline(__always)
  static func write(
    _ magnitude: UInt64, radix: UInt64, minDigits: Int, isNegative: Bool,
    to bytes: UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    // Radix 10 has a call of its own, in which divisions by a constant become multiplications.
    var place =
      radix == 10
      ? write(magnitude, by: 10, to: bytes) : write(magnitude, by: radix, to: bytes)
    let end = bytes.count
    while end &- place < min(minDigits, 64) {
      place &-= 1
      bytes[place] = UInt8(ascii: "0")
    }
    if isNegative {
      place &-= 1
      bytes[place] = UInt8(ascii: "-")
    }
    return UnsafeRawBufferPointer(rebasing: bytes[place...])
  }

  @inline(__always)
  private static func write(
    _ magnitude: UInt64, by radix: UInt64, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    var rest = magnitude
    var place = bytes.count
    if radix == 10 {
      while rest >= 100 {
        let (pairs, pair) = rest.quotientAndRemainder(dividingBy: 100)
        place &-= 2
        putPair(UInt(pair), bytes, place)
        rest = pairs
      }
    }
    repeat {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: radix)
      let digit = UInt8(truncatingIfNeeded: remainder)
      place &-= 1
      bytes[place] = digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10
      rest = quotient
    } while rest > 0
    return place
  }

  /// Writes a value below 100 as two digits at `place`.
  @inline(__always)
  static func putPair(_ value: UInt, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int) {
    // Valid: `value` is below 100, and the table has a hundred pairs.
    let pair = UnsafeRawPointer(pairs.utf8Start)
      .loadUnaligned(fromByteOffset: Int(bitPattern: 2 &* value), as: UInt16.self)
    bytes.storeBytes(of: pair, toByteOffset: place, as: UInt16.self)
  }

  /// The digit pairs 00 to 99. A look-up takes a third of the instructions of a division.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
}
