// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The whole numbers in the text, in order.
  var numbers: [Int] { split { !("0"..."9").contains($0) }.compactMap { Int($0) } }
}
