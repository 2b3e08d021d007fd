// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

extension Date {
  /// Creates the instant that `text` denotes in ISO 8601, such as `2026-11-27T00:00:00.25-05:00`.
  ///
  /// The text is a date (`2026-11-27`), `T` (or `t`, or a space), hours and minutes (`00:00` to
  /// `23:59`), optionally seconds and a fraction after a point or a comma, then `Z` (or `z`) or an
  /// offset (`+02:00`, `+0200`, `+02`; at most 23:59). The year is 0001 to 9999, both as written
  /// and in UTC. A second of 60 is read as the first second of the next minute, since a `Date`
  /// counts no leap seconds. Digits beyond the nanosecond are checked and ignored.
  ///
  /// The result is the nearest `Date`, which resolves about 0.1 µs. In the years 1865 to 2136, a
  /// fraction of up to six digits survives: `iso8601(fractionDigits:)` can write the same digits.
  ///
  /// - Parameter text: The whole text of the instant; blanks around it are not skipped.
  /// - Throws: ``ISO8601Error``, with the place of the fault, if the text is not such an instant.
  public init(iso8601 text: String) throws(ISO8601Error) {
    let result = text.withBytes { bytes -> Result<Date, ISO8601Reader.Mistake> in
      var reader = ISO8601Reader(bytes)
      do throws(ISO8601Reader.Mistake) {
        return .success(try reader.date())
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let date): self = date
    case .failure(let mistake):
      throw ISO8601Error(text: text, offset: mistake.offset, expected: mistake.expected)
    }
  }

  /// Returns the instant in ISO 8601, in UTC: `2026-11-27T05:00:00.250Z`.
  ///
  /// This form covers the years 0001 to 9999. A date outside them is written as the nearest instant
  /// within them, and NaN as the first of them. Dates before 1582-10-15 are written in the
  /// Gregorian calendar, as ISO 8601 requires.
  ///
  /// - Parameter fractionDigits: The number of digits after the decimal point, 0 to 9; a number
  ///   outside this range counts as the nearest in it. Further digits are cut off. With up to six
  ///   digits, a date up to half a microsecond before a whole microsecond is first rounded up to
  ///   it, because a `Date` may represent 0.3 s as slightly less; 0.3 s is shown as `.300`. Before
  ///   1865 and from 2137 on, more than half a microsecond is rounded up. A date is never rounded
  ///   up to the next second, because a `Date` represents each whole second exactly; 0.9999999 s is
  ///   shown as `.999`.
  public func iso8601(fractionDigits: Int = 3) -> String {
    String(unsafeUninitializedCapacity: ISO8601Writer.capacity) { buffer in
      // Valid: the buffer is the string's storage, used only within the closure.
      ISO8601Writer.write(
        self, fractionDigits: fractionDigits, to: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

/// The error of a text that is not an instant in ISO 8601.
public struct ISO8601Error: DescribedError, Hashable {
  /// The text.
  public let text: String
  /// The offset of the fault, in UTF-8 bytes.
  public let offset: Int
  /// A description of the text expected there, such as “a month from 01 to 12”.
  public let expected: String

  /// The text, the expected text and its place, and an example of a valid text.
  public var description: String {
    """
    invalid instant “\(text.escaped)”: expected \(expected) at character \(offset + 1), as in \
    2026-11-27T00:00:00-05:00
    """
  }
}
