/// What can happen to a customer whom a repository holds.
public enum CustomerChange: Hashable, Sendable {
  /// They rise to that tier.
  case promotion(to: CustomerTier)
  /// They earn that many points.
  case credit(points: Int)
}
