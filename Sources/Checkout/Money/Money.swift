// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// An amount of money: whole minor units (cents) and their currency.
///
/// Arithmetic throws for an overflow and for two different currencies. Adding, subtracting and
/// multiplying never round; a ``Percentage`` of an amount is rounded.
public struct Money: Hashable, Sendable {
  /// The amount in minor units: 450 means 4.50 USD or 450 JPY.
  public let minorUnits: Int64
  /// The currency.
  public let currency: Currency

  /// Creates an amount in minor units of a currency.
  ///
  /// - Parameters:
  ///   - minorUnits: The number of the currency's smallest units: cents, or yen.
  ///   - currency: The currency, which defines how many minor units make one unit.
  public init(minorUnits: Int64, _ currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// An amount of zero in a currency.
  ///
  /// - Parameter currency: The currency; only amounts in this currency can be added to the result.
  public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency) }

  /// Whether the amount is below zero.
  public var isNegative: Bool { minorUnits < 0 }

  /// The amount in units, such as 4.5 dollars. It is only for analytics, because a `Double` is not
  /// exact.
  public var value: Double { value(times: 1) }

  /// The amount in units, times `count`. The result is rounded only once, so that three times 0.10
  /// is 0.3.
  func value(times count: Int) -> Double {
    Double(minorUnits) * Double(count) / Double(currency.scale)
  }

  /// The sum of this amount and another.
  ///
  /// - Parameter other: The amount to add, of the same currency.
  /// - Throws: ``MoneyError`` if the currencies differ, or if the sum overflows.
  public func adding(_ other: Money) throws(MoneyError) -> Money {
    try check(other)
    return try make(minorUnits.addingReportingOverflow(other.minorUnits))
  }

  /// This amount less another.
  ///
  /// - Parameter other: The amount to subtract, of the same currency.
  /// - Returns: The difference, which may be negative.
  /// - Throws: ``MoneyError`` if the currencies differ, or if the difference overflows.
  public func subtracting(_ other: Money) throws(MoneyError) -> Money {
    try check(other)
    return try make(minorUnits.subtractingReportingOverflow(other.minorUnits))
  }

  /// This amount times `count`.
  ///
  /// - Parameter count: The factor, which may be zero or negative.
  /// - Throws: ``MoneyError/overflow`` if the product overflows.
  public func multiplied(by count: Int) throws(MoneyError) -> Money {
    try make(minorUnits.multipliedReportingOverflow(by: Int64(count)))
  }

  /// The smaller of this amount and a limit.
  ///
  /// - Parameter other: The upper limit, in the same currency.
  /// - Throws: ``MoneyError/differentCurrencies(_:_:)``.
  public func capped(at other: Money) throws(MoneyError) -> Money {
    try check(other)
    return minorUnits <= other.minorUnits ? self : other
  }

  /// Splits the amount in proportion to the weights, in whole minor units. The parts add up to the
  /// amount; if all weights are zero, all parts are zero.
  func split(by weights: [Money]) -> [Money] {
    let whole = weights.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
    var before = Int128(0)
    return weights.map { weight in
      let start = part(before, of: whole)
      before += Int128(weight.minorUnits)
      return Money(minorUnits: part(before, of: whole) - start, currency)
    }
  }

  /// Returns `count`/`whole` of the amount, rounded towards zero; zero if `whole` is zero.
  func part(_ count: Int128, of whole: Int128) -> Int64 {
    // The product may not fit into 64 bits. The result does, because `count` is at most `whole`.
    whole == 0 ? 0 : Int64(Int128(minorUnits) * count / whole)
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

extension Money: CustomStringConvertible {
  /// Reads a number and its currency: `4.50 USD`, `-3 EUR`, `450 JPY`.
  ///
  /// - Parameter text: A number, with a point before its decimals if it has any; one space; and the
  ///   code of the currency.
  /// - Throws: ``MoneyError`` if the text is not an amount, has more decimals than the currency, or
  ///   is too large.
  public init(_ text: String) throws(MoneyError) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .unreadableAmount(text) }
    let currency = try Currency(String(parts[1]))
    let negative = parts[0].hasPrefix("-")
    let number = parts[0].dropFirst(negative ? 1 : 0)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = number.first, let digits = Self.digits(whole) else {
      throw .unreadableAmount(text)
    }
    var fraction = ""
    if number.count == 2 {
      guard Self.digits(number[1]) != nil, number[1].count <= currency.fractionDigits else {
        throw .unreadableAmount(text)
      }
      fraction = String(number[1])
    }
    fraction += String(repeating: "0", count: currency.fractionDigits - fraction.count)
    guard let units = Int64((negative ? "-" : "") + digits + fraction) else { throw .overflow }
    self.init(minorUnits: units, currency)
  }

  /// The number with the decimals of its currency, then the currency: `4.50 USD`.
  public var description: String { "\(number) \(currency.code)" }

  /// The number with the decimals of its currency: `4.50`.
  public var number: String {
    let digits = currency.fractionDigits
    var text = String(minorUnits.magnitude)
    if digits > 0 {
      text = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    }
    return (isNegative ? "-" : "") + text
  }

  private static func digits(_ text: Substring) -> String? {
    let range = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard !text.isEmpty, text.utf8.allSatisfy(range.contains) else { return nil }
    return String(text)
  }
}

extension Money: Codable {
  /// The `userInfo` key that makes an encoder write number and currency as two fields.
  package static let inFields = CodingUserInfoKey(rawValue: "Checkout.Money.inFields")

  private enum CodingKeys: String, CodingKey { case amount, currency }

  /// Reads the text of an amount.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(MoneyError) in try Money(text) }
  }

  /// Writes the text of the amount. If `userInfo` contains `inFields`, writes the number and the
  /// currency as two fields instead.
  public func encode(to encoder: any Encoder) throws {
    guard let key = Self.inFields, encoder.userInfo[key] != nil else {
      return try encoder.encode(text: description)
    }
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(number, forKey: .amount)
    try fields.encode(currency.code, forKey: .currency)
  }
}
