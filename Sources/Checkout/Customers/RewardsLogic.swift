/// What a rewards service does, for a type that says where its customer service is.
public protocol RewardsLogic: RewardsService {
  /// What knows the customers.
  var customers: any CustomerService { get }
}

extension RewardsLogic {
  /// Credits points to a member and a tenth of them to the leader.
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

  private func reward(_ id: Customer.ID, _ points: Int) async throws(CustomerError) -> Customer {
    let customer = try await customers.credit(points, to: id)
    let earned = CustomerTier.earned(by: customer.points)
    guard earned > customer.tier else { return customer }
    do throws(CustomerError) {
      return try await customers.promote(id, to: earned)
    } catch .notAPromotion {
      // Somebody else has promoted them since.
      return customer
    }
  }
}
