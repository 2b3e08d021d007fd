public import Ambient

/// Why a basket service cannot be used; the basket on this machine can.
public enum BasketServiceError: DescribedError, Hashable {
  /// The service cannot be reached.
  case unreachable(String)
  /// The service answers with another status than it should.
  case status(Int)
  /// The answer is no basket.
  case badAnswer(field: String, reason: String)

  /// Says what is wrong.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the basket service cannot be reached: \(reason)"
    case .status(let status): "the basket service answers with the status \(status)"
    case .badAnswer(let field, let reason):
      "the basket service answers with no basket: \(field.isEmpty ? "" : "\(field): ")\(reason)"
    }
  }

  /// A name that stays the same, for logs: addresses and answers are not logged.
  public var code: String {
    switch self {
    case .unreachable: "unreachable"
    case .status(let status): "status_\(status)"
    case .badAnswer: "bad_answer"
    }
  }
}
