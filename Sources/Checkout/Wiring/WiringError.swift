public import Ambient

/// Why a shop is not wired.
public enum WiringError: DescribedError {
  /// The constants of the cake were made from other parts before.
  case cakeAlreadyBaked
  /// The container has no answer.
  case unresolved(ResolutionError)

  /// Says what is wrong and what to do.
  public var description: String {
    switch self {
    case .cakeAlreadyBaked:
      "the cake's constants were made from other parts; a process bakes it once, so use another "
        + "style, or another enum that conforms to its components"
    case .unresolved(let error): "\(error)"
    }
  }
}
