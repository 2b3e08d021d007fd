// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a resolver cannot supply a service, with the requesting services and the
/// requesting line.
public struct ResolutionError: DescribedError {
  /// The kind of failure.
  public enum Reason: Sendable {
    /// The service is not registered, at least not under that name.
    case missing
    /// The service is registered at two places, or two factories support it.
    case registeredTwice(SourcePlace, SourcePlace)
    /// Making the service requires the service itself. The path has the service at both ends.
    case cycle([String])
    /// The number or the types of the passed arguments differ from those that the factory takes.
    case wrongArguments(expected: [String], given: [String])
    /// The factory claims to support the requested type, but makes a service of another type.
    case unkept(makes: String)
    /// The factory threw an error of its own.
    case failed(any Error)
  }

  /// The kind of failure.
  public let reason: Reason
  /// The requested service, with its name if it has one.
  public let service: String
  /// The services that the thread is making, each requested by the one before it; the last one
  /// requests ``service``. Empty if the program itself makes the request.
  public let askedBy: [String]
  /// The source location of the request.
  public let place: SourcePlace

  /// The fault, the requesting services, the requesting line, and advice if there is any.
  public var description: String {
    let asker = askedBy.isEmpty ? "" : "by \(askedBy.joined(separator: " → ")) "
    let one = "\(service), requested \(asker)at \(place),"
    return switch reason {
    case .missing:
      "\(one) is not registered; register it, or request a registered service"
    case .registeredTwice(let first, let second):
      "\(one) is registered at \(first) and at \(second); if the second is meant to replace the "
        + "first, call without(_:) before the second registration"
    case .cycle(let path):
      "\(one) needs itself: \(path.joined(separator: " → ")); "
        + "let one of them ask the container at its first use, not in its initializer"
    case .wrongArguments(let expected, let given):
      "\(one) needs \(Self.list(expected)), but got \(Self.list(given)); pass what it needs"
    case .unkept(let made):
      "\(one) is supported by a factory that makes \(made) instead; "
        + "fix the factory's supported types"
    case .failed(let error):
      "\(one) could not be made: \(error)"
    }
  }

  private static func list(_ types: [String]) -> String {
    types.isEmpty ? "no arguments" : "the arguments (\(types.joined(separator: ", ")))"
  }
}
