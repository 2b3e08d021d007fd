// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error for an amount of money that cannot be read or computed.
public enum MoneyError: DescribedError, Hashable {
  /// The amount that was read or computed does not fit into 64 bits of minor units.
  case overflow
  /// Two amounts in different currencies, which cannot be added without an exchange rate.
  case differentCurrencies(Currency, Currency)
  /// A text that is not a code of ISO 4217.
  case unknownCurrency(String)
  /// A text that is not an amount with its currency.
  case unreadableAmount(String)
  /// A percentage outside 0 to 100, or with more than three decimals.
  case unreadablePercentage(String)

  /// The fault, and an example of a valid value.
  public var description: String {
    switch self {
    case .overflow: "the amount is too large to be counted; use smaller quantities or prices"
    case .differentCurrencies(let left, let right):
      "\(left) and \(right) cannot be added; keep to one currency"
    case .unknownCurrency(let code):
      "“\(code)” is no currency; write a code of ISO 4217, as USD"
    case .unreadableAmount(let text):
      "“\(text)” is no amount; write a number with a point and its currency, as 4.50 USD"
    case .unreadablePercentage(let text):
      "“\(text)” is no percentage; write 0 to 100 with at most three decimals, as 8.875"
    }
  }
}
