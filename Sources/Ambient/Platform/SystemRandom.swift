#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The system's random bits, fetched many at a time: a call costs as much as a hundred bytes.
enum SystemRandom {
  /// The most words that a call returns: 256 bytes.
  static let wordsAtOnce = 32

  /// Fills the array, of at most ``wordsAtOnce`` words, with random words.
  static func fill(_ words: inout [UInt64]) {
    let filled = words.withUnsafeMutableBytes { bytes -> Bool in
      // Valid: the pointer is used only within the closure.
      bytes.baseAddress.map { getentropy($0, bytes.count) == 0 } ?? true
    }
    guard !filled else { return }
    // The system is too old for getentropy, or forbids it.
    var generator = SystemRandomNumberGenerator()
    for index in words.indices { words[index] = generator.next() }
  }
}
