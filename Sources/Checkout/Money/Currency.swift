// SPDX-License-Identifier: Apache-2.0

/// A currency, identified by its ISO 4217 code, such as `USD`.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// The US dollar.
  public static let usd = Currency(known: "USD")
  /// The euro.
  public static let eur = Currency(known: "EUR")
  /// The pound sterling.
  public static let gbp = Currency(known: "GBP")
  /// The yen.
  public static let jpy = Currency(known: "JPY")

  /// The ISO 4217 code: three capital letters.
  public let code: String

  /// Creates a currency from its code; only the form is checked, so that new codes are accepted.
  ///
  /// - Parameter code: The code of ISO 4217, such as `EUR`.
  /// - Throws: ``MoneyError/unknownCurrency(_:)`` unless the code is three ASCII capital letters.
  public init(_ code: String) throws(MoneyError) {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard code.utf8.count == 3, code.utf8.allSatisfy(letters.contains) else {
      throw .unknownCurrency(code)
    }
    self.code = code
  }

  private init(known code: String) { self.code = code }

  /// The number of digits after the decimal point: 2 for the dollar, 0 for the yen.
  ///
  /// Source: ISO 4217, list one. A currency that is not listed below has two digits.
  public var fractionDigits: Int {
    switch code {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
      "VND", "VUV", "XAF", "XOF", "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    case "CLF", "UYW": 4
    default: 2
    }
  }

  /// The number of minor units in one unit: 100 cents in a dollar.
  package var scale: Int64 {
    switch fractionDigits {
    case 0: 1
    case 3: 1_000
    case 4: 10_000
    default: 100
    }
  }

  /// The code.
  public var description: String { code }
}
