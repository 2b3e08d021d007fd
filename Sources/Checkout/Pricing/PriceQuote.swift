// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A price that is locked for some time: it stays the same when promotions end and rates change.
public struct PriceQuote: Hashable, Sendable {
  /// The default time for which a quote locks a price. A purchase locks it for its session instead.
  public static let standardLength = Duration.seconds(15 * 60)

  /// The basket with its prices and the total to pay.
  public let priced: PricedBasket
  /// The time for which the price is locked.
  public let lifetime: Lifetime

  /// Creates a price that is locked from now on.
  ///
  /// - Parameters:
  ///   - priced: The price that the buyer was shown.
  ///   - length: The time for which the price is locked.
  public init(_ priced: PricedBasket, lasting length: Duration = standardLength) {
    self.priced = priced
    lifetime = Lifetime(since: Time.now, lasting: length)
  }

  /// The first instant at which the price is no longer locked.
  public var end: Date { lifetime.end }

  /// Checks that the price is still locked.
  ///
  /// - Throws: ``CheckoutError/lapsedQuote(until:)``.
  public func check() throws(CheckoutError) {
    guard lifetime.isAlive else { throw .lapsedQuote(until: end) }
  }
}
