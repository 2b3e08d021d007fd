/// How a shop treats a customer, from the many to the few.
public enum CustomerTier: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  case standard
  case silver
  case gold

  /// The points from which a customer has the tier.
  public var threshold: Int {
    switch self {
    case .standard: 0
    case .silver: 500
    case .gold: 2_000
    }
  }

  /// The highest tier that so many points earn.
  public static func earned(by points: Int) -> CustomerTier {
    allCases.last { $0.threshold <= points } ?? .standard
  }

  /// Whether the left is for more customers than the right.
  public static func < (left: CustomerTier, right: CustomerTier) -> Bool {
    left.threshold < right.threshold
  }
}
