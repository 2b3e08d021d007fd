extension LineBuffer {
  /// Appends the text if all of it is printable ASCII without a special meaning; says whether.
  ///
  /// It copies and looks in one go, sixteen bytes at a time: what is usual must be quick.
  @inline(__always)
  mutating func append(ifPlain source: UnsafeRawBufferPointer, quoted: Bool) -> Bool {
    guard let start = source.baseAddress else { return true }
    let size = source.count
    var isPlain = true
    append(capacity: size) { target in
      // Valid: both have `size` bytes.
      guard let end = target.baseAddress else { return 0 }
      // Apart, so that the loops do not ask for it.
      isPlain =
        quoted
        ? Self.copy(start, to: end, size, quoted: true)
        : Self.copy(start, to: end, size, quoted: false)
      return isPlain ? size : 0
    }
    return isPlain
  }

  @inline(__always)
  private static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ size: Int, quoted: Bool
  ) -> Bool {
    var special = SIMD16<UInt8>.zero
    var place = 0
    while place &+ 16 <= size {
      special |= copySixteen(source + place, to: target + place, quoted)
      place &+= 16
    }
    if size >= 16 {
      // The last sixteen, some of them once more.
      let last = size &- 16
      special |= copySixteen(source + last, to: target + last, quoted)
    } else {
      while place < size {
        let byte = source.load(fromByteOffset: place, as: UInt8.self)
        target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        special[0] |= topBit(of: SIMD16(repeating: byte), quoted)[0]
        place &+= 1
      }
    }
    // Valid: both are sixteen bytes.
    let words = unsafeBitCast(special, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private static func copySixteen(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ quoted: Bool
  ) -> SIMD16<UInt8> {
    let bytes = source.loadUnaligned(as: SIMD16<UInt8>.self)
    target.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    return topBit(of: bytes, quoted)
  }

  /// Bytes whose top bit is set where a special one stands.
  ///
  /// By arithmetic that wraps, since the compiler makes comparisons of vectors byte by byte: a byte
  /// from 0x80 on has its top bit, 0x7F gets it by one more, and one below 0x20 by so many less.
  @inline(__always)
  private static func topBit(of bytes: SIMD16<UInt8>, _ quoted: Bool) -> SIMD16<UInt8> {
    let one = SIMD16<UInt8>(repeating: 1)
    let special = bytes | (bytes &+ one) | (bytes &- SIMD16(repeating: 0x20))
    guard quoted else { return special }
    // Nothing is left of a quotation mark or a backslash, and one less than that has its top bit.
    return special | ((bytes ^ SIMD16(repeating: 0x22)) &- one)
      | ((bytes ^ SIMD16(repeating: 0x5C)) &- one)
  }
}
