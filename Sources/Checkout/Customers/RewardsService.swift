/// Rewards customers, each in a group that one of them leads: the highest of the three levels.
public protocol RewardsService: Sendable {
  /// Credits points to a member, and a tenth of them, rounded down, to the leader of the group;
  /// whoever has earned a higher tier is promoted.
  ///
  /// - Throws: ``RewardsError/notAMember(_:)``, or ``RewardsError/customer(_:)`` for points below
  ///   one and for customers that the customer service does not know. The leader's share comes
  ///   last: if it fails, the member keeps theirs.
  func award(
    _ points: Int, to member: Customer.ID, in group: CustomerGroup
  ) async throws(RewardsError) -> Award
}
