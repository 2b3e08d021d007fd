internal import Ambient
public import Foundation

/// Somebody who buys in the shop and signs in.
public struct Customer: Hashable, Sendable, Codable, Identifiable {
  /// What tells them from every other customer; it says nothing about the person.
  public let id: UUID
  /// The name by which they sign in; it does not go into logs and events.
  public let name: String
  /// When they registered.
  public let registered: Date
  /// How the shop treats them.
  public private(set) var tier: CustomerTier
  /// What they have earned, never negative.
  public private(set) var points: Int

  /// A new customer, registered now.
  ///
  /// - Throws: ``CustomerError/emptyName`` if the name holds white space only.
  public init(name: String) throws(CustomerError) {
    guard name.contains(where: { !$0.isWhitespace }) else { throw .emptyName }
    registered = Time.now
    id = Identifier.next()
    self.name = name
    tier = .standard
    points = 0
  }

  /// The customer after that change.
  ///
  /// - Throws: ``CustomerError/notAPromotion(from:to:)`` or ``CustomerError/wrongPoints(_:)``.
  public func applying(_ change: CustomerChange) throws(CustomerError) -> Customer {
    var changed = self
    switch change {
    case .promotion(let tier):
      guard tier > self.tier else { throw .notAPromotion(from: self.tier, to: tier) }
      changed.tier = tier
    case .credit(let points):
      let (sum, overflow) = self.points.addingReportingOverflow(points)
      guard points > 0, !overflow else { throw .wrongPoints(points) }
      changed.points = sum
    }
    return changed
  }
}
