// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The products that were built into the same folder as the tests.
package enum Products {
  /// The program of that name.
  package static func program(_ name: String) throws -> URL {
    try find(name) { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The file or folder of that name.
  package static func file(_ name: String) throws -> URL {
    try find(name) { FileManager.default.fileExists(atPath: $0) }
  }

  private static func find(_ name: String, where isIt: (String) -> Bool) throws -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
    let places = bundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
    let files = places.map { $0.deletingLastPathComponent().appending(path: name) }
    guard let found = files.first(where: { isIt($0.path) }) else {
      throw Missing(searched: files.map(\.path))
    }
    return found
  }

  /// The error for a product that does not exist.
  struct Missing: Error { let searched: [String] }
}
