/// The dates on which a subscription is billed, counted from its anchor: a day that a month does
/// not have becomes its last, and comes back in the next.
public struct BillingSchedule: Hashable, Sendable, Codable {
  /// How many months may lie between two dates.
  public static let steps = 1...120

  /// The first date.
  public let anchor: LocalDate
  /// How many months lie between two dates.
  public let stepMonths: Int

  /// The schedule from that date on.
  ///
  /// - Parameters:
  ///   - anchor: The first date, whose day of the month counts for all others.
  ///   - stepMonths: How many months lie between two dates.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless the step is 1 to 120 months.
  public init(anchor: LocalDate, stepMonths: Int = 1) throws(CalendarError) {
    guard Self.steps.contains(stepMonths) else { throw .outOfRange(stepMonths, Self.steps) }
    self.anchor = anchor
    self.stepMonths = stepMonths
  }

  /// The dates after the anchor, that many of them.
  ///
  /// - Parameter count: How many dates.
  /// - Returns: The dates, earliest first.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless they are 0 to 1,200.
  public func dates(_ count: Int) throws(CalendarError) -> [LocalDate] {
    guard (0...1_200).contains(count) else { throw .outOfRange(count, 0...1_200) }
    return (0..<count).map { anchor.adding(months: ($0 + 1) * stepMonths) }
  }
}
