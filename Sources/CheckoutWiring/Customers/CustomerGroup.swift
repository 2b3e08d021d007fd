// SPDX-License-Identifier: Apache-2.0

/// Customers who earn rewards together, led by one of them.
public struct CustomerGroup: Hashable, Sendable {
  /// The maximum number of members of a group, including the leader.
  public static let limit = 50

  /// The customer who leads the group.
  public let leader: Customer.ID
  /// All members in the order in which they joined, the leader first.
  public private(set) var members: [Customer.ID]

  /// Creates a group whose only member is its leader.
  ///
  /// - Parameter leader: The customer who leads the group, and is its first member.
  public init(leader: Customer.ID) {
    self.leader = leader
    members = [leader]
  }

  /// Adds a member.
  ///
  /// - Parameter member: The customer who joins, and is added after the present members.
  /// - Throws: ``RewardsError/alreadyMember(_:)`` or ``RewardsError/groupFull``.
  public mutating func join(_ member: Customer.ID) throws(RewardsError) {
    guard !members.contains(member) else { throw .alreadyMember(member) }
    guard members.count < Self.limit else { throw .groupFull }
    members.append(member)
  }
}
