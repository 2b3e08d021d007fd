internal import Ambient
internal import Foundation

/// The files `trouble` and `accepted` in a queue's folder.
///
/// `trouble` says why events wait, to a reader from outside. It is there while the last attempt to
/// deliver has failed: a line with the time since when, and one with the reason. `accepted` has a
/// digest of each destination that has accepted something of this queue.
extension EventQueue: DeliveryNotes {
  /// Why the events in that folder wait, as far as their collector has said; nil if it has not.
  ///
  /// The folder may be in use by another process. The number of attempts is not kept: it is 0.
  ///
  /// - Parameter folder: The folder of a collector.
  /// - Returns: The trouble that was noted last; it may be over by now.
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

  func hasAccepted(_ target: String) -> Bool {
    Self.targets(in: folder).contains(Self.digest(target))
  }

  func noteAccepted(_ target: String) {
    guard !hasAccepted(target) else { return }
    let targets = Self.targets(in: folder).suffix(Self.mostTargets - 1) + [Self.digest(target)]
    QueueNotes.write(
      targets.map { "\($0)\n" }.joined(), "accepted", in: folder, isDurable: false)
  }

  /// Whose destinations change more often forgets the first ones.
  private static var mostTargets: Int { 64 }

  private static func targets(in folder: String) -> [String] {
    (QueueNotes.read("accepted", in: folder) ?? "").split(whereSeparator: \.isNewline).map(
      String.init)
  }

  private static func digest(_ target: String) -> String { "\(StableDigest(target.utf8).uuid)" }
}
