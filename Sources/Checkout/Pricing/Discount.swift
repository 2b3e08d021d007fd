// SPDX-License-Identifier: Apache-2.0

/// A reduction of a price.
public enum Discount: Hashable, Sendable, CustomStringConvertible {
  /// A percentage of the price.
  case percentage(Percentage)
  /// A fixed amount, or the whole price if the price is lower.
  case amount(Money)

  /// The reduction of `price`; nil if the discount is an amount in another currency.
  ///
  /// - Parameter price: The price to reduce.
  /// - Returns: The amount to subtract, at most the price.
  public func reduction(of price: Money) -> Money? {
    switch self {
    case .percentage(let percentage): percentage.of(price)
    case .amount(let amount): try? amount.capped(at: price)
    }
  }

  /// The number and its unit: `25%`, `5.00 USD`.
  public var description: String {
    switch self {
    case .percentage(let percentage): percentage.description
    case .amount(let amount): amount.description
    }
  }

  enum CodingKeys: String, CodingKey { case percentOff, amountOff }

  /// Reads `percentOff` or `amountOff`; exactly one of them must be present.
  init(within decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let percentage = try fields.decodeIfPresent(Percentage.self, forKey: .percentOff)
    let amount = try fields.decodeIfPresent(Money.self, forKey: .amountOff)
    switch (percentage, amount) {
    case (let percentage?, nil): self = .percentage(percentage)
    case (nil, let amount?): self = .amount(amount)
    default: throw decoder.fault(ShopProblem.ambiguousDiscount)
    }
  }
}
