// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A temporary folder, which is removed when this object is deinitialized.
package final class TemporaryFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appending(
    path: "ambient-tests-\(UUID().uuidString)", directoryHint: .isDirectory)

  package init() {
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  /// The path of something in the folder, whether it exists or not.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  package func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }

  package func write(_ text: String, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: false, encoding: .utf8)
  }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: name), withIntermediateDirectories: true)
  }

  package func makeFile(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: url.appending(path: name))
  }
}
