// SPDX-License-Identifier: Apache-2.0

/// The dates on which a subscription is billed: every `stepMonths` months, on the anchor's day of
/// the month, or on the month's last day if the month is too short.
public struct BillingSchedule: Hashable, Sendable, Codable {
  /// The allowed numbers of months between two consecutive billing dates.
  public static let steps = 1...120

  /// The first date.
  public let anchor: LocalDate
  /// The number of months between two consecutive billing dates.
  public let stepMonths: Int

  /// Creates the schedule that starts on the date `anchor`.
  ///
  /// - Parameters:
  ///   - anchor: The first date; its day of the month applies to all others.
  ///   - stepMonths: The number of months between two consecutive billing dates.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless the step is 1 to 120 months.
  public init(anchor: LocalDate, stepMonths: Int = 1) throws(CalendarError) {
    guard Self.steps.contains(stepMonths) else { throw .outOfRange(stepMonths, Self.steps) }
    self.anchor = anchor
    self.stepMonths = stepMonths
  }

  /// Returns the first `count` dates after the anchor.
  ///
  /// - Parameter count: The number of dates.
  /// - Returns: The dates, earliest first.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless the number is 0 to 1,200.
  public func dates(_ count: Int) throws(CalendarError) -> [LocalDate] {
    guard (0...1_200).contains(count) else { throw .outOfRange(count, 0...1_200) }
    return (0..<count).map { anchor.adding(months: ($0 + 1) * stepMonths) }
  }
}
