// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem
internal import Synchronization

/// Makes identifiers that sort by time: UUIDs of version 7 (RFC 9562, section 5.7).
///
/// 48 bits are the millisecond of the caller's ``Time``; a date outside 1970 to 10889 counts as the
/// nearest within these years. 32 bits are a counter that starts at a random value, so that
/// identifiers that the process makes within one millisecond sort in the order in which they were
/// made, except where the counter wraps around. 42 bits are random: they make identifiers unique,
/// but not secret.
///
/// In virtual time, where everything is repeatable, the counter starts at one, and the random bits
/// derive from the seed. The type is safe to use from any thread, and uses no lock outside virtual
/// time. Making an identifier takes about as long as reading the time twice.
public enum AmbientIdentifier {
  /// A new identifier, stamped with the caller's ``Time``.
  public static func next() -> UUID {
    let (date, seeded) = Time.context.withService { ($0.now, $0.seededBits()) }
    return UUID(make(at: date, seeded))
  }

  /// The two 64-bit words of a new identifier for an event at `date`.
  package static func words(at date: Date) -> UUIDWords {
    make(at: date, Time.context.withService { $0.seededBits() })
  }

  private static func make(at date: Date, _ seeded: IdentifierSource.Bits?) -> UUIDWords {
    let bits = seeded ?? IdentifierSource.process.next()
    let first = milliseconds(date) << 16 | 0x7000 | UInt64(bits.number >> 20)
    let second =
      0x8000_0000_0000_0000 | UInt64(bits.number & 0xF_FFFF) << 42 | bits.random & 0x3FF_FFFF_FFFF
    return UUIDWords(high: first, low: second)
  }

  /// The whole milliseconds since 1970, in 48 bits. The date's ISO 8601 text states the same
  /// milliseconds.
  private static func milliseconds(_ date: Date) -> UInt64 {
    // The interval is clamped, because 48 bits cannot hold the milliseconds of a date outside this
    // range, or of NaN.
    let interval = min(max(-978_307_200, date.timeIntervalSinceReferenceDate), 280_496_669_510)
    let whole = ISO8601Writer.floor(interval)
    let second = Double(whole)
    let microseconds = Date.microseconds(of: interval - second, Date.tolerance(after: second))
    return UInt64((whole + 978_307_200) * 1_000 + microseconds / 1_000) & 0xFFFF_FFFF_FFFF
  }
}

/// Supplies the bits that make identifiers unique: a counter, which also orders them, and random
/// bits.
///
/// The whole process has one counter, whichever `Time` its callers use. Therefore identifiers of
/// one millisecond sort in order even while parallel tests freeze different times. No lock is
/// needed: the counter's value selects a random word for each caller, and a caller that finds its
/// word used refills all words.
package final class IdentifierSource: Sendable {
  /// The bits that distinguish an identifier from others of its millisecond.
  package struct Bits: Equatable {
    /// The value of the counter: one more than for the previous identifier.
    let number: UInt32
    let random: UInt64

    package init(number: UInt32, random: UInt64) {
      self.number = number
      self.random = random
    }
  }

  static let process = IdentifierSource()

  private let count: Atomic<UInt32>
  /// Random words for the next identifiers. A word becomes zero when it is used. The number of
  /// words is a power of two, so that a mask selects a word.
  private let words: [Word]
  /// The fork to which the counter and the words belong.
  private let forks = Atomic(Forks.count)

  private final class Word: Sendable {
    let value = Atomic<UInt64>(0)
  }

  init() {
    // The counter starts at a random value, so that two processes rarely use the same number in the
    // same millisecond.
    count = Atomic(UInt32.random(in: .min ... .max))
    words = (0..<SystemRandom.wordsAtOnce).map { _ in Word() }
  }

  /// Returns the next value of the counter, and random bits that no other caller gets.
  func next() -> Bits {
    if forks.load(ordering: .acquiring) != Forks.known { separate() }
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    let random = word(of: number).value.exchange(0, ordering: .relaxed)
    return Bits(number: number, random: random != 0 ? random : fetch(from: number))
  }

  /// Returns the word from which the caller that got `number` from the counter takes random bits.
  /// Successive numbers use words that are not neighbours, so that threads do not contend for a
  /// cache line.
  private func word(of number: UInt32) -> Word {
    words[Int(number &* 13) & (SystemRandom.wordsAtOnce - 1)]
  }

  /// Discards what a fork has in common with its parent, which would make equal identifiers.
  @inline(never)
  private func separate() {
    for word in words { word.value.store(0, ordering: .relaxed) }
    count.store(.random(in: .min ... .max), ordering: .relaxed)
    forks.store(Forks.known, ordering: .releasing)
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
