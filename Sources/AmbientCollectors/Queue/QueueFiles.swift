// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The small files in a queue's folder, such as `lost` and `trouble`, which are read and replaced
/// as a whole.
enum QueueFiles {
  /// Reads the text of a file; nil if there is none.
  static func read(_ name: String, in folder: String) throws(SystemError) -> String? {
    try FileSystem.text(FileSystem.path(name, in: folder), limit: 1 << 20)
  }

  static func remove(_ name: String, in folder: String) {
    try? FileSystem.remove(FileSystem.path(name, in: folder))
  }

  /// Replaces a file as a whole. A failure is ignored, because only reports and programs that
  /// inspect the queue use the files that this method writes.
  ///
  /// Only the user of the process may read the file, because the text may contain a server's
  /// message, which may quote an event.
  ///
  /// - Parameter isDurable: Whether the file survives a power failure after this method returns.
  static func write(_ text: String, _ name: String, in folder: String, isDurable: Bool = true) {
    try? FileSystem.replace(FileSystem.path(name, in: folder), by: text, isDurable: isDurable)
  }
}
