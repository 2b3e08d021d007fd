internal import Ambient
public import Foundation

/// A price that is locked for a while: it stays when promotions end and rates change.
public struct PriceQuote: Hashable, Sendable {
  /// How long a price is locked if nobody says otherwise.
  public static let standardLength = Duration.seconds(15 * 60)

  /// What is to be paid.
  public let priced: PricedBasket
  /// How long the price is locked.
  public let lifetime: Lifetime

  /// Locks a price from now on.
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

  /// Checks that the price is the one that the buyer saw, if they saw one.
  ///
  /// - Throws: ``CheckoutError/otherTotal(_:seen:)``.
  func check(seen total: Money?) throws(CheckoutError) {
    if let total, total != priced.total { throw .otherTotal(priced.total, seen: total) }
  }
}
