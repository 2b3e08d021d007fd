internal import Synchronization

/// What makes identifiers unique: a count, which also gives them their order, and random bits.
///
/// The count goes on for as long as the process runs, whatever the time: so identifiers of one
/// millisecond are in order even where tests freeze different times side by side. No locks: the
/// count says which random word is whose, and who finds none fetches for those that come after.
final class IdentifierSource: Sendable {
  /// What tells one identifier from the others of its millisecond.
  struct Bits: Equatable {
    /// One more than that of the identifier before.
    let number: UInt32
    let random: UInt64
  }

  static let process = IdentifierSource()

  private let count: Atomic<UInt32>
  /// Random words that nobody has taken yet; zero where one was. A power of two.
  private let words: [Word]

  private final class Word: Sendable {
    let value = Atomic<UInt64>(0)
  }

  init() {
    // From a random start, so that two processes do not count alike.
    count = Atomic(UInt32.random(in: .min ... .max))
    words = (0..<SystemRandom.wordsAtOnce).map { _ in Word() }
  }

  /// The next number of the count, and bits that nobody else gets.
  func next() -> Bits {
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    let random = word(of: number).value.exchange(0, ordering: .relaxed)
    return Bits(number: number, random: random != 0 ? random : fetch(from: number))
  }

  /// Far from that of the next number, so that threads do not contend for neighbours.
  private func word(of number: UInt32) -> Word {
    words[Int(number &* 13) & (SystemRandom.wordsAtOnce - 1)]
  }

  @inline(never)
  private func fetch(from number: UInt32) -> UInt64 {
    var fresh = [UInt64](repeating: 0, count: SystemRandom.wordsAtOnce)
    SystemRandom.fill(&fresh)
    for (step, random) in fresh.enumerated().dropFirst() {
      word(of: number &+ UInt32(step)).value.store(random, ordering: .relaxed)
    }
    return fresh[0]
  }
}
