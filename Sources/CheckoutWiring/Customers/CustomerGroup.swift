/// Customers who earn rewards together, led by one of them.
public struct CustomerGroup: Hashable, Sendable {
  /// The most members that a group has, its leader among them.
  public static let limit = 50

  /// The customer who leads it.
  public let leader: Customer.ID
  /// All members in the order in which they joined, the leader first.
  public private(set) var members: [Customer.ID]

  /// The group of a leader alone.
  ///
  /// - Parameter leader: The customer who leads it, and is its first member.
  public init(leader: Customer.ID) {
    self.leader = leader
    members = [leader]
  }

  /// Takes in a member.
  ///
  /// - Parameter member: The customer who joins, after those who are there.
  /// - Throws: ``RewardsError/alreadyMember(_:)`` or ``RewardsError/groupFull``.
  public mutating func join(_ member: Customer.ID) throws(RewardsError) {
    guard !members.contains(member) else { throw .alreadyMember(member) }
    guard members.count < Self.limit else { throw .groupFull }
    members.append(member)
  }
}
