/// How long a service that a container makes is shared.
///
/// A fourth, sharing it while somebody holds it, is chosen by the way of registering:
/// ``Container/register(_:weak:as:fileID:line:)``.
public enum ServiceScope: String, Hashable, Sendable, CaseIterable {
  /// Not at all: each time it is asked for, a new one is made.
  case eachTime
  /// By all, until something that it was made with is replaced.
  case once
  /// By all that are made to answer one question.
  case oncePerResolution
}
