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
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .overflow: "the amount is too large; use smaller quantities or prices"
    case .differentCurrencies(let left, let right):
      "\(left) and \(right) cannot be added; use one currency"
    case .unknownCurrency(let code):
      "“\(code)” is not a currency; use an ISO 4217 code such as USD"
    case .unreadableAmount(let text):
      "“\(text)” is not an amount; use a number and a currency, such as 4.50 USD"
    case .unreadablePercentage(let text):
      "“\(text)” is not a percentage; use 0 to 100 with at most three decimals, such as 8.875"
    }
  }
}
