// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The files `destination`, with the collector's name, and `lost`, with the numbers of lost events
/// by reason, in a queue's folder. They are for programs that inspect the queue.
extension EventQueue {
  /// The maximum number of reasons; further reasons are counted together as “other reasons”.
  private static var mostReasons: Int { 64 }
  /// The maximum of a count, so that sums cannot overflow even if the file's counts are wrong. No
  /// real count is larger.
  private static var mostLost: Int { 1 << 50 }

  /// The name of the collector that used the folder last; nil if none has stored its name.
  static func destination(in folder: String) -> String? {
    let text = (try? QueueFiles.read("destination", in: folder)) ?? nil
    guard let name = text?.split(whereSeparator: \.isNewline).first else { return nil }
    return String(name)
  }

  /// The numbers of lost events by reason that are stored in the folder. A collector stores its
  /// numbers when it is shut down.
  ///
  /// - Throws: The system's error if the numbers cannot be read now.
  static func lost(in folder: String) throws(SystemError) -> [String: Int] {
    let text = try QueueFiles.read("lost", in: folder)
    var counts: [String: Int] = [:]
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]), count > 0 else { continue }
      let key = counts.key(for: String(parts[1]), upTo: mostReasons)
      counts[key] = min(mostLost, (counts[key] ?? 0) + min(mostLost, count))
    }
    return counts
  }

  /// Writes the collector's name to the folder, and reports events that waited for another
  /// destination.
  ///
  /// - Parameter noun: The word for an event.
  func note(destination name: String, noun: String) {
    let before = Self.destination(in: folder)
    guard before != name, journal.isInPlace else { return }
    let count = journal.count
    if let before, count > 0 {
      Diagnostics.report(
        .warned, source: name, Self.redirected(count, noun, in: folder, from: before))
    }
    QueueFiles.write("\(name)\n", "destination", in: folder, isDurable: false)
  }

  /// The report of events that waited for another destination.
  static func redirected(
    _ count: Int, _ noun: String, in folder: String, from before: String
  ) -> String {
    let before = before.shortened(to: 200).escaped
    let those = "\(count.with(noun)) of \(before) \(count == 1 ? "waits" : "wait")"
    return """
      \(those) in the queue “\(folder)”, and will be sent to this destination instead; use a \
      separate folder for each destination's queue
      """
  }

  /// Adds the numbers in `lost` to the folder's counts of lost events.
  func note(lost: [String: Int]) {
    journal.keepFile()
    if journal.isInPlace { Self.note(lost: lost, in: folder) }
  }

  /// Adds the numbers in `lost` to a folder's counts of lost events; the caller must have the
  /// folder's lock.
  static func note(lost: [String: Int], in folder: String) {
    // If the stored counts cannot be read, the file is left as it is, so that the counts are kept.
    guard !lost.isEmpty, let before = try? Self.lost(in: folder) else { return }
    let counts = before.merging(lost) { min(mostLost, $0 + min(mostLost, $1)) }
    let lines = counts.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) \(reason.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }
    QueueFiles.write(lines.joined(), "lost", in: folder)
  }
}
