internal import Ambient
internal import Foundation

/// Files in a queue's folder, for programs that inspect the queue: `destination`, with the
/// collector's name, and `lost`, with the numbers of lost events by reason.
enum QueueNotes {
  /// The maximum number of reasons; further reasons are counted together as “other reasons”.
  private static var mostReasons: Int { 64 }
  /// The maximum of a count, so that sums cannot overflow, whatever the file contains; no real
  /// count is larger.
  fileprivate static var most: Int { 1 << 50 }

  static func destination(in folder: String) -> String? {
    let text = (try? read("destination", in: folder)) ?? nil
    guard let name = text?.split(whereSeparator: \.isNewline).first else { return nil }
    return String(name)
  }

  /// The numbers of lost events by reason that are stored in the folder. A collector stores its
  /// numbers when it is shut down.
  ///
  /// - Throws: The system's error if the numbers cannot be read now.
  static func lost(in folder: String) throws(SystemError) -> [String: Int] {
    let text = try read("lost", in: folder)
    var counts: [String: Int] = [:]
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]), count > 0 else { continue }
      let key = counts.key(for: String(parts[1]), upTo: mostReasons)
      counts[key] = min(most, (counts[key] ?? 0) + min(most, count))
    }
    return counts
  }

  /// Reads the text of a file; nil if there is none.
  static func read(_ name: String, in folder: String) throws(SystemError) -> String? {
    try FileSystem.text(path(name, in: folder), limit: 1 << 20)
  }

  static func remove(_ name: String, in folder: String) {
    try? FileSystem.remove(path(name, in: folder))
  }

  /// Replaces a file as a whole. A failure is ignored, since the file only informs.
  ///
  /// Only the user of the process may read the file, because the text may contain a server's
  /// message, which may quote an event.
  ///
  /// - Parameter isDurable: Whether the file survives a power failure after this method returns.
  static func write(_ text: String, _ name: String, in folder: String, isDurable: Bool = true) {
    try? FileSystem.replace(path(name, in: folder), by: text, isDurable: isDurable)
  }

  static func path(_ name: String, in folder: String) -> String {
    URL(filePath: folder).appending(path: name).path
  }
}

extension EventQueue {
  /// Writes the collector's name to the folder, and reports events that waited for another
  /// destination.
  func note(destination name: String) {
    let before = QueueNotes.destination(in: folder)
    guard before != name else { return }
    if let before, journal.count > 0 {
      Diagnostics.report(
        .warned, source: name,
        """
        \(journal.count) that wait in the queue “\(folder)” were for \(before), and are sent here; \
        give each destination a queue in a folder of its own
        """)
    }
    QueueNotes.write("\(name)\n", "destination", in: folder, isDurable: false)
  }

  /// Adds the numbers in `lost` to the folder's counts of lost events.
  func note(lost: [String: Int]) { Self.note(lost: lost, in: folder) }

  /// Adds the numbers in `lost` to a folder's counts of lost events; the caller must have the
  /// folder's lock.
  static func note(lost: [String: Int], in folder: String) {
    // If the stored counts cannot be read, the file is left as it is, so that they are not lost.
    guard !lost.isEmpty, let before = try? QueueNotes.lost(in: folder) else { return }
    let counts = before.merging(lost) { min(QueueNotes.most, $0 + min(QueueNotes.most, $1)) }
    let lines = counts.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }
    QueueNotes.write(lines.joined(), "lost", in: folder)
  }
}
