internal import Synchronization

/// The parts of a day of the calendar; the one that was asked for last is remembered.
///
/// All of it is one word, so that threads share the memory of it without a lock: the number of the
/// day above, its year, month and day below. A day stays the same for very many lines.
struct CivilDay {
  private let word: UInt64

  /// At first the day of number zero, 0001-01-01; a literal, so that no read has to initialize it.
  private static let latest = Atomic<UInt64>(0x0001_0101)

  /// The day that comes `number` days after 0001-01-01, at most 9999-12-31.
  @inline(__always)
  static func known(number: UInt) -> CivilDay {
    let latest = CivilDay(word: latest.load(ordering: .relaxed))
    if latest.word >> 32 == number { return latest }
    return compute(number)
  }

  @inline(never)
  private static func compute(_ number: UInt) -> CivilDay {
    let day = CivilDay(computed: number)
    latest.store(day.word, ordering: .relaxed)
    return day
  }

  private init(word: UInt64) { self.word = word }

  private init(computed number: UInt) {
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    let civil = CivilDate(daysSince1970: Int(number) - 719_162)
    word =
      UInt64(number) << 32 | UInt64(civil.year) << 16 | UInt64(civil.month) << 8
      | UInt64(civil.day)
  }

  var year: UInt { UInt(truncatingIfNeeded: word >> 16 & 0xFFFF) }

  var month: UInt { UInt(truncatingIfNeeded: word >> 8 & 0xFF) }

  var day: UInt { UInt(truncatingIfNeeded: word & 0xFF) }
}
