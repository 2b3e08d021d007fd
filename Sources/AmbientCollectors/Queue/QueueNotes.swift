internal import Ambient
internal import Foundation

/// What a queue's folder says of its collector, to those who look from outside: the file
/// `destination`, with its name, and the file `lost`, with how many events were lost and why.
enum QueueNotes {
  /// More kinds of reasons than these are one.
  private static var mostReasons: Int { 64 }
  /// What is larger is no count of ours, and this sums without an overflow.
  fileprivate static var most: Int { 1 << 50 }

  static func destination(in folder: String) -> String? {
    let text = read("destination", in: folder)
    guard let name = text?.split(whereSeparator: \.isNewline).first else { return nil }
    return String(name)
  }

  /// How many were lost, by reason, as far as their collectors came to an end.
  static func lost(in folder: String) -> [String: Int] {
    let text = read("lost", in: folder)
    var counts: [String: Int] = [:]
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]), count > 0 else { continue }
      let key = counts.count < mostReasons ? String(parts[1]) : "other reasons"
      counts[key] = min(most, (counts[key] ?? 0) + min(most, count))
    }
    return counts
  }

  /// What stands in a file; nil if it cannot be read.
  static func read(_ name: String, in folder: String) -> String? {
    FileSystem.text(path(name, in: folder), limit: 1 << 20)
  }

  static func remove(_ name: String, in folder: String) {
    try? FileSystem.remove(path(name, in: folder))
  }

  /// Writes a file as a whole. It only informs: a failure changes nothing.
  ///
  /// A server's words may be about what is in an event, so they are as private as the queue.
  ///
  /// - Parameter isDurable: Whether it must outlive a loss of power when this returns.
  static func write(_ text: String, _ name: String, in folder: String, isDurable: Bool = true) {
    try? FileSystem.replace(path(name, in: folder), by: text, isDurable: isDurable)
  }

  static func path(_ name: String, in folder: String) -> String {
    URL(filePath: folder).appending(path: name).path
  }
}

extension EventQueue {
  /// Says whose queue it is, and reports that what waits was for another.
  func note(destination name: String) {
    let before = QueueNotes.destination(in: folder)
    guard before != name else { return }
    if let before, journal.count > 0 {
      Diagnostics.report(
        Diagnostic(
          .warned, source: name,
          """
          \(journal.count) that wait in the queue “\(folder)” were for \(before), and are sent here; \
          give each destination a queue in a folder of its own
          """))
    }
    QueueNotes.write("\(name)\n", "destination", in: folder, isDurable: false)
  }

  /// Adds to what the folder says was lost.
  func note(lost: [String: Int]) { Self.note(lost: lost, in: folder) }

  /// Adds to what that folder says was lost; it must be the caller's.
  static func note(lost: [String: Int], in folder: String) {
    guard !lost.isEmpty else { return }
    let counts = QueueNotes.lost(in: folder)
      .merging(lost) { min(QueueNotes.most, $0 + min(QueueNotes.most, $1)) }
    let lines = counts.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }
    QueueNotes.write(lines.joined(), "lost", in: folder)
  }
}
