// SPDX-License-Identifier: Apache-2.0

/// How a test treats possibly unintended uses of contexts.
public enum EscapePolicy: Sendable, Hashable {
  /// The use is ignored.
  case allowed
  /// The use is recorded as an issue at the end of the test.
  ///
  /// Several uses by one line of code are one issue.
  case issue
}
