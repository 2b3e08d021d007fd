/// Writes whole numbers without allocating.
enum DigitWriter {
  /// The most digits that are written.
  static let capacity = 64

  /// Writes the digits to the start of `bytes`, which must have room for ``capacity``, and returns
  /// their count.
  @inline(__always)
  static func write(
    _ magnitude: UInt64, radix: UInt64, minDigits: Int, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    radix == 10 && minDigits <= 1
      ? writeDecimal(magnitude, to: bytes, at: 0)
      : writeDigits(magnitude, radix: radix, minDigits: minDigits, to: bytes)
  }

  /// Writes the digits from that place on, at most 20, and returns their count.
  @inline(__always)
  static func writeDecimal(
    _ magnitude: UInt64, to bytes: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    let digits = count(of: magnitude)
    var rest = magnitude
    var place = start &+ digits
    while rest >= 100 {
      place &-= 2
      let (pairs, pair) = rest.quotientAndRemainder(dividingBy: 100)
      putPair(UInt(truncatingIfNeeded: pair), bytes, place)
      rest = pairs
    }
    if rest >= 10 {
      putPair(UInt(truncatingIfNeeded: rest), bytes, start)
    } else {
      bytes[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
    }
    return digits
  }

  @inline(__always)
  private static func count(of magnitude: UInt64) -> Int {
    // One more where it is even: zero has a digit, too, and no other number gets one by that.
    let odd = magnitude | 1
    // 1,233 / 4,096 is the logarithm of two, near enough for 64 bits.
    let guess = ((64 &- odd.leadingZeroBitCount) &* 1_233) >> 12
    return odd < powerOfTen(guess) ? guess : guess &+ 1
  }

  /// Ten to the power of `exponent`, 0 to 19: a switch, of which the compiler makes a table.
  @inline(__always)
  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    case 12: 1_000_000_000_000
    case 13: 10_000_000_000_000
    case 14: 100_000_000_000_000
    case 15: 1_000_000_000_000_000
    case 16: 10_000_000_000_000_000
    case 17: 100_000_000_000_000_000
    case 18: 1_000_000_000_000_000_000
    default: 10_000_000_000_000_000_000
    }
  }

  @inline(never)
  private static func writeDigits(
    _ magnitude: UInt64, radix: UInt64, minDigits: Int, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    var digits = 1
    var rest = magnitude / radix
    while rest > 0 {
      digits += 1
      rest /= radix
    }
    digits = min(max(digits, minDigits), capacity)
    rest = magnitude
    for place in stride(from: digits - 1, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: rest % radix)
      bytes[place] = digit < 10 ? 48 + digit : 87 + digit
      rest /= radix
    }
    return digits
  }

  /// Writes two digits of a value under 100.
  @inline(__always)
  static func putPair(_ value: UInt, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int) {
    // Valid: the pairs are constants of the program, and there are a hundred.
    let pair = UnsafeRawPointer(pairs.utf8Start)
      .loadUnaligned(fromByteOffset: Int(bitPattern: 2 &* value), as: UInt16.self)
    bytes.storeBytes(of: pair, toByteOffset: place, as: UInt16.self)
  }

  /// 00 to 99: a look-up takes a third of the instructions of a division.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
}
