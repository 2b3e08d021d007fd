// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The number and the noun: `1 line`, `2 lines`.
  package func with(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
