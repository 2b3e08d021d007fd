internal import Ambient
internal import Foundation

/// The file `trouble` in a queue's folder: why its events wait, for those who look from outside.
///
/// It is there while the last attempt to deliver has failed: a line with the time since when, and
/// one with the reason.
extension EventQueue {
  /// Why the events in that folder wait, as far as their collector has said; nil if it has not.
  ///
  /// The folder may be in use by another process. The number of attempts is not kept: it is 0.
  public static func trouble(in folder: String) -> DeliveryTrouble? {
    guard let text = QueueNotes.read("trouble", in: folder) else { return nil }
    let lines = text.split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let since = try? Date(iso8601: String(lines[0])) else { return nil }
    return DeliveryTrouble(
      reason: lines[1].trimmingCharacters(in: .newlines), since: since, attempts: 0)
  }

  /// Writes the file, or removes it. It only informs: a failure changes nothing.
  func note(_ trouble: DeliveryTrouble?) {
    guard let trouble else { return QueueNotes.remove("trouble", in: folder) }
    // It changes with each further reason.
    QueueNotes.write(
      "\(trouble.since.iso8601())\n\(trouble.reason)\n", "trouble", in: folder,
      isDurable: false)
  }
}
