// SPDX-License-Identifier: Apache-2.0

/// How a test treats possibly unintended uses of contexts.
public enum EscapePolicy: Sendable, Hashable {
  /// The use is ignored.
  case allowed
  /// The use is reported as an issue.
  case issue
}
