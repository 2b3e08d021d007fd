// SPDX-License-Identifier: Apache-2.0

package import AmbientSystem

/// An error whose description has the fault, its place and, for most errors, advice.
///
/// Foundation's `localizedDescription` returns the same text.
package protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {}

extension DescribedError {
  /// The description.
  public var errorDescription: String? { description }

  /// Always nil, because the description contains the reason.
  public var failureReason: String? { nil }

  /// Always nil, because the description contains any advice.
  public var recoverySuggestion: String? { nil }

  /// Always nil.
  public var helpAnchor: String? { nil }
}
