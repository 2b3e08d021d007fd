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
    let asked = "requested \(asker)at \(place)"
    return switch reason {
    case .missing:
      "\(service) is not registered, \(asked); register it, or request a registered service"
    case .registeredTwice(let first, let second):
      "\(service) is registered at \(first) and at \(second), \(asked); remove the first "
        + "with without(_:) if the second replaces it"
    case .cycle(let path):
      "\(service) needs itself: \(path.joined(separator: " → ")), \(asked); "
        + "let one of them ask the container at its first use, not in its initializer"
    case .wrongArguments(let expected, let given):
      "\(service) is made with \(Self.list(expected)), not with \(Self.list(given)), \(asked)"
    case .unkept(let made):
      "\(service) is supported by a factory that makes \(made), \(asked); fix its supported types"
    case .failed(let error):
      "\(service) could not be made, \(asked): \(error)"
    }
  }

  private static func list(_ types: [String]) -> String {
    types.isEmpty ? "no arguments" : "(\(types.joined(separator: ", ")))"
  }
}
