package import Foundation

/// The programs that were built beside the tests.
package enum Products {
  /// The program of that name.
  package static func program(_ name: String) throws -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
    let places = bundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap(\.self)
    let programs = places.map { $0.deletingLastPathComponent().appending(path: name) }
    let found = programs.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw Missing(searched: programs.map(\.path)) }
    return found
  }

  /// A program was not found beside the tests.
  struct Missing: Error { let searched: [String] }
}
