#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// The system's source of random bits, asked for many at a time: each question costs as much as a
/// hundred bytes of answer.
enum SystemRandom {
  /// The most that the system gives at once.
  static let wordsAtOnce = 32

  /// As many random words as the array has, at most ``wordsAtOnce``.
  static func fill(_ words: inout [UInt64]) {
    let filled = words.withUnsafeMutableBytes { bytes -> Bool in
      // Valid: the memory is the array's own, for the time of the closure.
      guard let start = bytes.baseAddress else { return true }
      #if canImport(Darwin)
        // The headers of iOS and tvOS hide getentropy(2); this never fails: arc4random(3).
        arc4random_buf(start, bytes.count)
        return true
      #else
        return getentropy(start, bytes.count) == 0
      #endif
    }
    guard !filled else { return }
    // A system that is too old for the call, or forbids it.
    var generator = SystemRandomNumberGenerator()
    for index in words.indices { words[index] = generator.next() }
  }
}
