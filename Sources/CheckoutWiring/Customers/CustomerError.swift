// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// The reason why a customer's request fails.
public enum CustomerError: DescribedError, Hashable {
  /// The name is empty, or consists of white space.
  case emptyName
  /// The name has more characters than the limit.
  case nameTooLong(limit: Int)
  /// The name contains a character that is invisible or has no meaning of its own.
  case nameCharacter(Unicode.Scalar)
  /// Another customer has a name with the same folded form, which ignores case.
  case nameTaken
  /// The name or the password is wrong; the error does not say which.
  case notAuthenticated
  /// No customer has this identity.
  case unknownCustomer(UUID)
  /// The tier is not above the customer's present one.
  case notAPromotion(from: CustomerTier, to: CustomerTier)
  /// The number of points is not above zero, or its sum with the customer's points is too large.
  case wrongPoints(Int)
  /// The password cannot be used.
  case password(PasswordError)
  /// The repository cannot be used.
  case repository(String)

  /// The fault and advice, without the customer's name or password.
  public var description: String {
    switch self {
    case .emptyName: "the name is empty; use at least one letter"
    case .nameTooLong(let limit):
      "the name has more than \(limit) characters; choose a shorter one"
    case .nameCharacter(let scalar):
      "the name contains U+\(String(scalar.value, radix: 16, uppercase: true)); remove it"
    case .nameTaken: "the name is taken; choose another"
    case .notAuthenticated: "the name or the password is wrong"
    case .unknownCustomer(let id): "there is no customer \(id)"
    case .notAPromotion(let from, let to):
      "\(to) is not above the customer's tier, \(from); choose a higher tier"
    case .wrongPoints(let points):
      """
      cannot credit \(points) points; use a number above zero, small enough that the customer's total \
      does not overflow
      """
    case .password(let error): "\(error)"
    case .repository(let reason): "cannot use the repository of customers: \(reason)"
    }
  }
}
