#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An error whose description has the fault, its place, and advice.
///
/// Foundation's `localizedDescription` returns the same text.
package protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {}

extension DescribedError {
  /// The description.
  public var errorDescription: String? { description }

  /// Nothing: the description has it.
  public var failureReason: String? { nil }

  /// Nothing: the description has it.
  public var recoverySuggestion: String? { nil }

  /// Nothing.
  public var helpAnchor: String? { nil }
}
