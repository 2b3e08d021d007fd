// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The possible problems of a shop's file, and of its fields.
public enum ShopProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(String)
  /// The text is not JSON.
  case notJSON(String)
  /// A required field is missing.
  case missingField
  /// An unknown field, with the most similar known field.
  case unknownField(nearest: String?)
  /// A value of the wrong type.
  case wrongType(expected: String)
  /// An invalid date, time, zone or window.
  case calendar(CalendarError)
  /// An invalid amount, currency or percentage.
  case money(MoneyError)
  /// A product that the catalogue does not have, or an invalid quantity.
  case checkout(CheckoutError)
  /// A name that occurs twice.
  case duplicate(String)
  /// An unknown tax class, with the most similar class of the shop.
  case unknownTaxClass(nearest: String?)
  /// An amount whose currency differs from the products'.
  case otherCurrency(Currency, products: Currency)
  /// An empty text.
  case empty
  /// A SKU that cannot be written on a command line.
  case unwritableSKU
  /// An amount or a count below zero.
  case negative
  /// Tax rates that are not in the order of their dates.
  case unordered
  /// A promotion or a coupon with neither a percentage nor an amount, or with both.
  case ambiguousDiscount

  /// The fault, in most cases with advice.
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notJSON(let reason): "is not JSON: \(reason)"
    case .missingField: "is missing; add this field"
    case .unknownField(let nearest):
      "is not a field of a shop; " + (nearest.map { "did you mean “\($0)”?" } ?? "remove it")
    case .wrongType(let expected): "must be \(expected)"
    case .calendar(let error): error.description
    case .money(let error): error.description
    case .checkout(let error): error.description
    case .duplicate(let name): "repeats “\(name)”; rename or remove one"
    case .unknownTaxClass(let nearest):
      "is not in tax.classes; "
        + (nearest.map { "did you mean “\($0)”?" } ?? "add it there, or remove it here")
    case .otherCurrency(let currency, let products):
      "is in \(currency), but the products are in \(products); use \(products)"
    case .empty: "is empty; add a text"
    case .unwritableSKU:
      "is empty, or contains a space, a colon, or a control or format character; use another SKU"
    case .negative: "is negative; use 0 or more"
    case .unordered: "does not start after the previous rate; sort the dates"
    case .ambiguousDiscount: "must have either percentOff or amountOff"
    }
  }
}
