// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a reward is refused.
public enum RewardsError: DescribedError, Hashable {
  /// The customer is in the group already.
  case alreadyMember(Customer.ID)
  /// The customer is not in the group.
  case notAMember(Customer.ID)
  /// The group has as many members as allowed.
  case groupFull
  /// The customer service threw an error.
  case customer(CustomerError)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .alreadyMember(let id): "customer \(id) is already in the group"
    case .notAMember(let id): "customer \(id) is not in the group; let them join first"
    case .groupFull: "the group already has the maximum of \(CustomerGroup.limit) members"
    case .customer(let error): "\(error)"
    }
  }
}
