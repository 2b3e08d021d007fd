internal import Ambient

extension Money: CustomStringConvertible {
  /// Reads a number and its currency: `4.50 USD`, `-3 EUR`, `450 JPY`.
  ///
  /// - Throws: ``MoneyError`` if it is no amount, has more decimals than the currency, or overflows.
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
  /// Reads the text of an amount.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(MoneyError) in try Money(text) }
  }

  /// Writes the text of the amount.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}
