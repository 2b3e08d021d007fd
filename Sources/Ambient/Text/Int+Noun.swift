// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The number and a noun whose plural ends with “s”: `1 line`, `2 lines`.
  package func with(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
