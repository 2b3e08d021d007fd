// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The system's random bits. Many are fetched at a time, because each call has a fixed cost, which
/// equals the cost of generating a hundred bytes.
enum SystemRandom {
  /// The maximum number of 64-bit words in one call: one call of getentropy(2) fills at most 256
  /// bytes.
  static let wordsAtOnce = 32

  /// Fills `words`, which has at most ``wordsAtOnce`` words, with random bits.
  static func fill(_ words: inout [UInt64]) {
    let filled = words.withUnsafeMutableBytes { bytes -> Bool in
      // Valid: the pointer is used only within the closure.
      guard let start = bytes.baseAddress else { return true }
      #if canImport(Darwin)
        // arc4random_buf(3) replaces getentropy(2), which the headers of iOS and tvOS hide. It
        // never fails.
        arc4random_buf(start, bytes.count)
        return true
      #else
        return getentropy(start, bytes.count) == 0
      #endif
    }
    guard !filled else { return }
    // The system is too old for getentropy, or forbids it.
    var generator = SystemRandomNumberGenerator()
    for index in words.indices { words[index] = generator.next() }
  }
}
