/// What stands in place of a value that is not shown.
enum PrivacyMark {
  static let hidden: StaticString = "<private>"

  /// Unknown outside this process, so that nobody finds a value by hashing guesses.
  private static let key: (UInt64, UInt64) = {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }()

  /// The mark for a value whose text is `bytes`.
  static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key.0)
    hasher.combine(bytes: bytes)
    hasher.combine(key.1)
    // Twelve digits: enough to tell values apart, short enough to read.
    return UInt64(truncatingIfNeeded: hasher.finalize()) >> 16
  }

  static func append(hashOf bytes: UnsafeRawBufferPointer, to line: inout LineBuffer) {
    line.append("<hash:")
    line.append(magnitude: hash(of: bytes), radix: 16, minDigits: 12)
    line.append(UInt8(ascii: ">"))
  }
}
