// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A part of a whole, from 0 to 100 percent, in thousandths of a percent.
public struct Percentage: Hashable, Sendable, Comparable {
  /// The number of thousandths of a percent: 8.875 percent is 8,875.
  public let thousandths: Int64

  /// Creates a percentage from thousandths of a percent.
  ///
  /// - Parameter thousandths: The number of thousandths: 8.875 percent is 8,875.
  /// - Throws: ``MoneyError/unreadablePercentage(_:)`` if the number is not between 0 and 100,000.
  public init(thousandths: Int64) throws(MoneyError) {
    guard (0...100_000).contains(thousandths) else {
      throw .unreadablePercentage("\(Decimal(thousandths) / 1_000)")
    }
    self.thousandths = thousandths
  }

  /// Creates a percentage from a decimal number.
  ///
  /// - Parameter percent: The percentage, such as `8.875`.
  /// - Throws: ``MoneyError/unreadablePercentage(_:)`` if the percentage is not between 0 and 100,
  ///   or has more than three decimals.
  public init(_ percent: Decimal) throws(MoneyError) {
    let thousandths = percent * 1_000
    guard thousandths >= 0, thousandths <= 100_000 else {
      throw .unreadablePercentage("\(percent)")
    }
    let whole = NSDecimalNumber(decimal: thousandths).int64Value
    guard Decimal(whole) == thousandths else { throw .unreadablePercentage("\(percent)") }
    self.thousandths = whole
  }

  /// The percentage as a decimal number, such as `8.875`.
  public var percent: Decimal { Decimal(thousandths) / 1_000 }

  /// This percentage of an amount; half a minor unit is rounded away from zero.
  ///
  /// - Parameter money: The whole, which may be negative.
  /// - Returns: The part, in the same currency.
  public func of(_ money: Money) -> Money {
    Self.share(of: money, numerator: UInt64(thousandths), denominator: 100_000)
  }

  /// The part of a gross amount that a tax at this percentage makes up: 19 of 119 at 19 percent.
  ///
  /// - Parameter money: The gross amount, which includes the part.
  /// - Returns: The part, rounded as in ``of(_:)``.
  public func contained(in money: Money) -> Money {
    Self.share(
      of: money, numerator: UInt64(thousandths), denominator: 100_000 + UInt64(thousandths))
  }

  /// Whether the left percentage is smaller.
  public static func < (left: Percentage, right: Percentage) -> Bool {
    left.thousandths < right.thousandths
  }

  /// Multiplies the amount by the fraction, rounding half a minor unit away from zero. The fraction
  /// must be at most 1, so that the result fits into 64 bits.
  private static func share(of money: Money, numerator: UInt64, denominator: UInt64) -> Money {
    let product = money.minorUnits.magnitude.multipliedFullWidth(by: numerator)
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    let rounded = quotient + (remainder * 2 >= denominator ? 1 : 0)
    // The number is negated with wrapping, because the magnitude of `Int64.min` does not fit into
    // an `Int64`.
    let units = Int64(truncatingIfNeeded: money.isNegative ? 0 &- rounded : rounded)
    return Money(minorUnits: units, money.currency)
  }
}

extension Percentage: Codable, CustomStringConvertible {
  /// Reads the percentage as a number.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (percent: Decimal) throws(MoneyError) in try Percentage(percent) }
  }

  /// Writes the percentage as a number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(percent)
  }

  /// The number and a percent sign: `8.875%`.
  public var description: String { "\(percent)%" }
}
