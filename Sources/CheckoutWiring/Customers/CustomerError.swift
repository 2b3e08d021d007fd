public import Ambient
public import Foundation

/// Why something cannot be done for a customer.
public enum CustomerError: DescribedError, Hashable {
  /// The name holds nothing but white space.
  case emptyName
  /// Another customer has the name.
  case nameTaken
  /// The name or the password is wrong; it is not said which.
  case notAuthenticated
  /// No customer has that identity.
  case unknownCustomer(UUID)
  /// The tier is not above the one that the customer has.
  case notAPromotion(from: CustomerTier, to: CustomerTier)
  /// So many points cannot be credited.
  case wrongPoints(Int)
  /// The password cannot be used.
  case password(PasswordError)
  /// The repository cannot be used.
  case repository(String)

  /// Says what is wrong and what to do, and nothing about the person.
  public var description: String {
    switch self {
    case .emptyName: "the name is empty; give one with at least a letter"
    case .nameTaken: "the name is taken; choose another"
    case .notAuthenticated: "the name or the password is wrong"
    case .unknownCustomer(let id): "there is no customer \(id)"
    case .notAPromotion(let from, let to):
      "\(to) is no promotion for a customer who is \(from); choose a higher tier"
    case .wrongPoints(let points):
      "\(points) points cannot be credited; they must be positive, and the sum must fit an Int"
    case .password(let error): "\(error)"
    case .repository(let reason): "the customers cannot be reached: \(reason)"
    }
  }
}
