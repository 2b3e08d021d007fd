/// What a reward made of those who got it.
public struct Award: Hashable, Sendable {
  /// The member who earned it, as they are now.
  public let member: Customer
  /// The leader as they are now, or nil if the member leads, or the share was less than a point.
  public let leader: Customer?

  /// An award.
  public init(member: Customer, leader: Customer?) {
    self.member = member
    self.leader = leader
  }
}
