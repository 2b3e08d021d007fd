/// An amount of money: whole minor units (cents) and their currency.
///
/// Arithmetic checks for overflow and for two currencies, and throws; there is no rounding but in
/// ``Percentage``.
public struct Money: Hashable, Sendable {
  /// The amount in minor units: 450 is 4.50 USD, and 450 JPY.
  public let minorUnits: Int64
  /// The currency.
  public let currency: Currency

  /// That many minor units of the currency.
  public init(minorUnits: Int64, _ currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Nothing, in that currency.
  public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency) }

  /// Whether it is less than nothing.
  public var isNegative: Bool { minorUnits < 0 }

  /// The amount in whole units, for analytics; not for computing.
  public var value: Double { value(times: 1) }

  /// The amount `count` times in whole units, rounded once: three of 0.10 come to 0.3.
  func value(times count: Int) -> Double {
    Double(minorUnits) * Double(count) / Double(currency.scale)
  }

  /// This amount and another.
  public func adding(_ other: Money) throws(MoneyError) -> Money {
    try check(other)
    return try make(minorUnits.addingReportingOverflow(other.minorUnits))
  }

  /// This amount without another.
  public func subtracting(_ other: Money) throws(MoneyError) -> Money {
    try check(other)
    return try make(minorUnits.subtractingReportingOverflow(other.minorUnits))
  }

  /// This amount `count` times.
  public func multiplied(by count: Int) throws(MoneyError) -> Money {
    try make(minorUnits.multipliedReportingOverflow(by: Int64(count)))
  }

  /// The lesser of this amount and another.
  public func capped(at other: Money) throws(MoneyError) -> Money {
    try check(other)
    return minorUnits <= other.minorUnits ? self : other
  }

  private func check(_ other: Money) throws(MoneyError) {
    guard currency == other.currency else {
      throw .differentCurrencies(currency, other.currency)
    }
  }

  private func make(
    _ result: (partialValue: Int64, overflow: Bool)
  ) throws(MoneyError) -> Money {
    guard !result.overflow else { throw .overflow }
    return Money(minorUnits: result.partialValue, currency)
  }
}
