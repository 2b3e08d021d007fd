// SPDX-License-Identifier: Apache-2.0

import Checkout

extension BasketLine {
  /// Reads a product and the number of its items from the command line: `SKU` or `SKU:QUANTITY`.
  ///
  /// - Throws: ``UsageError`` if the SKU is empty, if no whole number follows the colon, or if a
  ///   basket line cannot contain that number of items.
  init(argument text: String, of option: Option) throws(UsageError) {
    let parts = text.parts(at: ":")
    guard !parts[0].isEmpty,
      let quantity = parts.count == 2 ? Self.quantity(parts[1]) : 1
    else {
      throw .invalidValue(
        option.name, reason: "“\(text)” is not a product; use \(option.usage), such as coffee:2")
    }
    do throws(CheckoutError) { try self.init(SKU(parts[0]), quantity) } catch {
      throw .invalidValue(
        option.name, reason: "“\(text)” cannot be bought; use 1 to \(Self.limit) after the colon")
    }
  }

  /// Parses a whole number; returns nil for other texts. A number that does not fit into an `Int`
  /// becomes `Int.min` or `Int.max`, which a basket rejects.
  private static func quantity(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return Int(text) ?? (isNegative ? .min : .max)
  }
}
