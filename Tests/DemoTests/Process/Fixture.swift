// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The golden file of that name, beside these tests.
func fixture(_ name: String) throws -> String {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return try String(
    contentsOf: folder.appending(path: "Fixtures/\(name).txt"), encoding: .utf8)
}
