// SPDX-License-Identifier: Apache-2.0

/// Rewards the customers of a group, which one of them leads. This service is the highest of three
/// levels, above `CustomerService` and `CustomerRepository`.
public protocol RewardsService: Sendable {
  /// Credits points to a member, and a tenth of the points, rounded down, to the leader of the
  /// group. Promotes each of the two customers who has earned a higher tier.
  ///
  /// - Parameters:
  ///   - points: The points to credit to the member, one or more.
  ///   - member: The customer who earned them.
  ///   - group: The group, of which the customer must be a member.
  /// - Returns: The member, and the leader if the leader got a share, after the award.
  /// - Throws: ``RewardsError/notAMember(_:)``, or ``RewardsError/customer(_:)`` for points below
  ///   one and for customers that the customer service does not know. The leader's share is
  ///   credited last: if that credit fails, the member keeps the points.
  func award(
    _ points: Int, to member: Customer.ID, in group: CustomerGroup
  ) async throws(RewardsError) -> Award

  /// Makes a customer the leader and first member of a team; leaders are at least silver, so the
  /// customer is promoted if necessary.
  ///
  /// - Parameter leader: The customer who becomes the leader.
  /// - Returns: The team, which the caller must keep.
  /// - Throws: ``RewardsError/customer(_:)`` for a customer that the customer service does not
  ///   know.
  func buildTeam(leader: Customer.ID) async throws(RewardsError) -> CustomerGroup
}

/// The result of an award: the customers with their new points and tiers.
public struct Award: Hashable, Sendable {
  /// The member after the award.
  public let member: Customer
  /// The leader after the award; nil if the member is the leader, or if the leader's tenth of the
  /// points was less than one point.
  public let leader: Customer?

  /// Creates an award.
  ///
  /// - Parameters:
  ///   - member: The member after the award.
  ///   - leader: The leader after the award; nil if the member is the leader, or if the leader's
  ///     tenth of the points was less than one point.
  public init(member: Customer, leader: Customer?) {
    self.member = member
    self.leader = leader
  }
}

/// A rewards service that needs only a customer service: an extension contains the logic.
public protocol RewardsLogic: RewardsService {
  /// The service that manages the customers.
  var customers: any CustomerService { get }
}

extension RewardsLogic {
  /// Credits points to a member. Also credits a tenth of the points to the leader, unless the
  /// member is the leader.
  ///
  /// - Parameters:
  ///   - points: The points to credit to the member, one or more.
  ///   - member: The customer who earned them.
  ///   - group: The group, of which the customer must be a member.
  /// - Returns: The member, and the leader if the leader got a share, after the award.
  /// - Throws: ``RewardsError``; if the leader's share cannot be credited, the member keeps the
  ///   points.
  public func award(
    _ points: Int, to member: Customer.ID, in group: CustomerGroup
  ) async throws(RewardsError) -> Award {
    guard group.members.contains(member) else { throw .notAMember(member) }
    let share = member == group.leader ? 0 : points / 10
    do throws(CustomerError) {
      let rewarded = try await reward(member, points)
      let leader = share > 0 ? try await reward(group.leader, share) : nil
      return Award(member: rewarded, leader: leader)
    } catch {
      throw .customer(error)
    }
  }

  /// Promotes the leader to silver, unless the leader is at least silver already, and makes the
  /// team.
  ///
  /// - Parameter leader: The customer who becomes the leader.
  /// - Returns: The team, which the caller must keep.
  /// - Throws: ``RewardsError/customer(_:)`` for a customer that the customer service does not
  ///   know.
  public func buildTeam(leader: Customer.ID) async throws(RewardsError) -> CustomerGroup {
    do throws(CustomerError) {
      _ = try await customers.promote(leader, to: .silver)
    } catch .notAPromotion {
      // The leader is silver or gold already.
    } catch {
      throw .customer(error)
    }
    return CustomerGroup(leader: leader)
  }

  private func reward(_ id: Customer.ID, _ points: Int) async throws(CustomerError) -> Customer {
    let customer = try await customers.credit(points, to: id)
    let earned = CustomerTier.earned(by: customer.points)
    guard earned > customer.tier else { return customer }
    do throws(CustomerError) {
      return try await customers.promote(id, to: earned)
    } catch .notAPromotion {
      // Another call has promoted the customer in the meantime.
      return customer
    }
  }
}
