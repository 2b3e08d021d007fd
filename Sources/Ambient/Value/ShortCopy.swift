/// Copies pieces of text, which are short: a call of the C library would take longer than the rest.
enum ShortCopy {
  /// Copies `count` bytes between memories that do not overlap.
  @inline(__always)
  static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    // Two that overlap do for each size from their own on to twice that.
    switch count {
    case 8..<16: copyTwo(UInt64.self, 8, source, target, count)
    case 16...32: copyTwo(SIMD16<UInt8>.self, 16, source, target, count)
    case 4..<8: copyTwo(UInt32.self, 4, source, target, count)
    case 33...64:
      copyTwo(SIMD16<UInt8>.self, 16, source, target, 32)
      copyTwo(SIMD16<UInt8>.self, 16, source + (count &- 32), target + (count &- 32), 32)
    case 1..<4:

      for place in 0..<count {
        target.storeBytes(
          of: source.load(fromByteOffset: place, as: UInt8.self), toByteOffset: place,
          as: UInt8.self)
      }
    default: target.copyMemory(from: source, byteCount: count)
    }
  }

  /// Copies the first and the last so many bytes.
  @inline(__always)
  private static func copyTwo<Word: BitwiseCopyable>(
    _: Word.Type, _ size: Int, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
    _ count: Int
  ) {
    let last = count &- size
    let (head, tail) = (
      source.loadUnaligned(as: Word.self),
      source.loadUnaligned(fromByteOffset: last, as: Word.self)
    )
    target.storeBytes(of: head, as: Word.self)
    target.storeBytes(of: tail, toByteOffset: last, as: Word.self)
  }
}
