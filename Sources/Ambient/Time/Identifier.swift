internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Makes identifiers that sort by time: UUIDs of version 7 (RFC 9562, section 5.7).
///
/// 48 bits are the millisecond of the caller's ``Time``. 32 bits count, so that identifiers that
/// the process makes within a millisecond are in order (the count starts anywhere and wraps
/// around). 42 bits are random: enough to be unique, not a secret to be trusted in.
///
/// Where everything is repeatable (in virtual time), it counts from one, and the rest derives from
/// the seed. Safe to use from any thread, without a lock; takes about as long as reading the time
/// twice.
public enum Identifier {
  /// A new identifier, stamped with the caller's ``Time``.
  public static func next() -> UUID {
    let (date, seeded) = Time.context.withService { ($0.now, $0.seededBits()) }
    return UUID(make(at: date, seeded))
  }

  /// The words of a new identifier for something that happened at `date`.
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

  /// Whole milliseconds since 1970, as the text of the date has them, in 48 bits.
  private static func milliseconds(_ date: Date) -> UInt64 {
    // A date far out, or one that is no number, has no place in them.
    let interval = min(max(-978_307_200, date.timeIntervalSinceReferenceDate), 280_496_669_510)
    let whole = ISO8601Writer.floor(interval)
    let second = Double(whole)
    let microseconds = Date.microseconds(of: interval - second, Date.tolerance(after: second))
    return UInt64((whole + 978_307_200) * 1_000 + microseconds / 1_000) & 0xFFFF_FFFF_FFFF
  }
}

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
  /// Random words that are not taken yet; zero where one was. A power of two.
  private let words: [Word]

  private final class Word: Sendable {
    let value = Atomic<UInt64>(0)
  }

  init() {
    // From a random start, so that two processes do not count alike.
    count = Atomic(UInt32.random(in: .min ... .max))
    words = (0..<SystemRandom.wordsAtOnce).map { _ in Word() }
  }

  /// The next number of the count, and bits that no other caller gets.
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
