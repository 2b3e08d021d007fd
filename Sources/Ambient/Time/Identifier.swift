internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes identifiers that sort by time: UUIDs of version 7 (RFC 9562, section 5.7).
///
/// 48 bits are the millisecond of the caller's ``Time``. 32 bits are a count, so that identifiers
/// made by the process within a millisecond sort in order (it starts at random and wraps around).
/// 42 bits are random: they make identifiers unique, but not secret.
///
/// In virtual time, where everything is repeatable, the count starts at one, and the random bits
/// derive from the seed. Safe to use from any thread, without a lock; takes about as long as
/// reading the time twice.
public enum Identifier {
  /// A new identifier, stamped with the caller's ``Time``.
  public static func next() -> UUID {
    let (date, seeded) = Time.context.withService { ($0.now, $0.seededBits()) }
    return UUID(make(at: date, seeded))
  }

  /// The words of a new identifier for an event at `date`.
  static func words(at date: Date) -> UUIDWords {
    make(at: date, Time.context.withService { $0.seededBits() })
  }

  private static func make(at date: Date, _ seeded: IdentifierSource.Bits?) -> UUIDWords {
    let bits = seeded ?? IdentifierSource.process.next()
    let first = milliseconds(date) << 16 | 0x7000 | UInt64(bits.number >> 20)
    let second =
      0x8000_0000_0000_0000 | UInt64(bits.number & 0xF_FFFF) << 42 | bits.random & 0x3FF_FFFF_FFFF
    return UUIDWords(high: first, low: second)
  }

  /// Whole milliseconds since 1970, the same as in the date's text, in 48 bits.
  private static func milliseconds(_ date: Date) -> UInt64 {
    // Clamped: a date out of range, or NaN, has no millisecond in 48 bits.
    let interval = min(max(-978_307_200, date.timeIntervalSinceReferenceDate), 280_496_669_510)
    let whole = ISO8601Writer.floor(interval)
    let second = Double(whole)
    let microseconds = Date.microseconds(of: interval - second, Date.tolerance(after: second))
    return UInt64((whole + 978_307_200) * 1_000 + microseconds / 1_000) & 0xFFFF_FFFF_FFFF
  }
}

/// Makes identifiers unique, by a count, which also orders them, and random bits.
///
/// The count goes on as long as the process runs, whatever the time: so identifiers of one
/// millisecond are in order even where parallel tests freeze different times. There is no lock: the
/// count decides which random word a caller takes, and a caller that finds its word taken refills
/// them all.
final class IdentifierSource: Sendable {
  /// The bits that distinguish an identifier from others of its millisecond.
  struct Bits: Equatable {
    /// The count, one more than that of the identifier before.
    let number: UInt32
    let random: UInt64
  }

  static let process = IdentifierSource()

  private let count: Atomic<UInt32>
  /// Random words for coming identifiers; zero where one was taken. Their number is a power of two.
  private let words: [Word]

  private final class Word: Sendable {
    let value = Atomic<UInt64>(0)
  }

  init() {
    // From a random start, so that two processes count differently.
    count = Atomic(UInt32.random(in: .min ... .max))
    words = (0..<SystemRandom.wordsAtOnce).map { _ in Word() }
  }

  /// The next number of the count, and random bits that no other caller gets.
  func next() -> Bits {
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    let random = word(of: number).value.exchange(0, ordering: .relaxed)
    return Bits(number: number, random: random != 0 ? random : fetch(from: number))
  }

  /// Neighbouring numbers use distant words, so that threads do not contend for a cache line.
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
