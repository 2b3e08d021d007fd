// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The hours in which restricted goods may be sold, by the wall clock. The closing time is not part
/// of the hours.
///
/// If the clocks repeat an hour, both occurrences count. If the closing time is before the opening
/// time, the hours extend past midnight.
public struct OpeningHours: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The first time at which goods may be sold.
  public let open: LocalTime
  /// The first time at which goods may no longer be sold.
  public let close: LocalTime

  /// Creates the hours between two times of day.
  ///
  /// - Parameters:
  ///   - open: The opening time.
  ///   - close: The closing time; if it is before `open`, it is on the next day.
  /// - Throws: ``CalendarError/emptyHours(_:)`` if both are the same, or 24:00 and 00:00.
  public init(open: LocalTime, close: LocalTime) throws(CalendarError) {
    guard !open.isEmptyWindow(to: close) else { throw .emptyHours(open) }
    self.open = open
    self.close = close
  }

  /// Whether the wall clock is within these hours at an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant in question.
  ///   - zone: The zone of the wall clock.
  public func contains(_ instant: Date, in zone: Zone) -> Bool {
    let time = zone.local(instant).time
    return open < close ? open <= time && time < close : time >= open || time < close
  }

  /// The two times.
  public var description: String { "\(open) to \(close)" }

  private enum CodingKeys: String, CodingKey, CaseIterable { case open, close }

  /// Reads the two times.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    let open = try fields.decode(LocalTime.self, forKey: .open)
    let close = try fields.decode(LocalTime.self, forKey: .close)
    do throws(CalendarError) { try self.init(open: open, close: close) } catch {
      throw decoder.fault(error)
    }
  }
}
