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
    try? String(contentsOf: file(name, in: folder), encoding: .utf8)
  }

  static func remove(_ name: String, in folder: String) {
    try? FileManager.default.removeItem(at: file(name, in: folder))
  }

  /// Writes a file as a whole, which stands on the disk then. It only informs: a failure changes
  /// nothing.
  static func write(_ text: String, _ name: String, in folder: String) {
    let file = file(name, in: folder)
    try? Data(text.utf8).write(to: file, options: .atomic)
    // A server's words may be about what is in an event, so they are as private as the queue.
    try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  /// Writes a file as a whole, and does not wait for the disk: for what need not outlive a loss of
  /// power, and changes often.
  static func writeAtOnce(_ text: String, _ name: String, in folder: String) {
    // Not by `Data`, which synchronizes each file that it writes.
    let new = file("\(name).new", in: folder).path
    let number = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return }
    let handle = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    guard (try? handle.write(contentsOf: Data(text.utf8))) != nil else { return }
    _ = rename(new, file(name, in: folder).path)
  }

  private static func file(_ name: String, in folder: String) -> URL {
    URL(filePath: folder).appending(path: name)
  }
}

extension EventQueue {
  /// Says whose queue it is.
  func note(destination name: String) {
    guard QueueNotes.destination(in: folder) != name else { return }
    QueueNotes.write("\(name)\n", "destination", in: folder)
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
