// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A person who buys in the shop and signs in.
public struct Customer: Hashable, Sendable, Codable, Identifiable {
  /// The customer's identity, which reveals nothing about the person.
  public let id: UUID
  /// The name by which the customer signs in, trimmed and in Unicode's form NFC. It is kept out of
  /// logs and events.
  public let name: String
  /// The time of registration.
  public let registered: Date
  /// The customer's tier.
  public private(set) var tier: CustomerTier
  /// The points earned, never negative.
  public private(set) var points: Int

  /// Creates a new customer, registered now.
  ///
  /// - Parameter name: The name by which the customer signs in; it is trimmed.
  /// - Throws: ``CustomerError/emptyName``, ``CustomerError/nameTooLong(limit:)`` or
  ///   ``CustomerError/nameCharacter(_:)``.
  public init(name: String) throws(CustomerError) {
    self.name = try CustomerName.checked(name)
    registered = Time.now
    id = AmbientIdentifier.next()
    tier = .standard
    points = 0
  }

  /// Returns this customer with a change applied.
  ///
  /// - Parameter change: The promotion to a higher tier, or the credit of one or more points.
  /// - Returns: The changed customer, who is not stored yet; this value stays as it is.
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

/// A customer's tier. The cases are listed from the most common tier to the rarest.
public enum CustomerTier: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  case standard
  case silver
  case gold

  /// The number of points at which a customer earns the tier.
  public var threshold: Int {
    switch self {
    case .standard: 0
    case .silver: 500
    case .gold: 2_000
    }
  }

  /// Returns the highest tier that a customer has earned with a number of points.
  ///
  /// - Parameter points: The customer's total points.
  public static func earned(by points: Int) -> CustomerTier {
    allCases.last { $0.threshold <= points } ?? .standard
  }

  /// Returns whether the left tier is lower.
  public static func < (left: CustomerTier, right: CustomerTier) -> Bool {
    left.threshold < right.threshold
  }
}
