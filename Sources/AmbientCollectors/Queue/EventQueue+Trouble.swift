// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The files `trouble` and `accepted` in a queue's folder.
///
/// `trouble` tells other programs why events wait. It exists from a failed attempt to deliver until
/// an attempt succeeds or no event waits, and has two lines: the time of the first failure, and the
/// reason. `accepted` lists digests of the destinations that accepted events of this queue.
extension EventQueue {
  /// Returns the reason why the events in a folder wait, or nil if the last attempt did not fail.
  ///
  /// Another process may use the folder meanwhile. The number of attempts is not stored, so
  /// `attempts` is 0.
  ///
  /// - Parameter folder: The folder of a collector.
  /// - Returns: The failure that was noted last; it may be over by now.
  package static func trouble(in folder: String) -> DeliveryTrouble? {
    guard let text = (try? QueueFiles.read("trouble", in: folder)) ?? nil else { return nil }
    let lines = text.split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let since = try? Date(iso8601: String(lines[0])) else { return nil }
    return DeliveryTrouble(
      reason: lines[1].trimmingCharacters(in: .newlines), since: since, attempts: 0)
  }

  /// Writes the failure to the file `trouble`, or removes the file if `trouble` is nil. If this
  /// fails, the error is ignored, since no delivery depends on the file.
  func note(_ trouble: DeliveryTrouble?) {
    guard journal.isInPlace else { return }
    guard let trouble else { return QueueFiles.remove("trouble", in: folder) }
    // The write need not be durable: after a loss of power, the next failed attempt writes the file
    // again.
    QueueFiles.write(
      "\(trouble.since.iso8601())\n\(trouble.reason)\n", "trouble", in: folder,
      isDurable: false)
  }

  /// Whether the destination with that ``EventDestination/target`` has accepted an event.
  func hasAccepted(_ target: String) -> Bool {
    ((try? Self.targets(in: folder)) ?? []).contains(Self.digest(target))
  }

  /// Records that the destination with that ``EventDestination/target`` has accepted an event.
  func noteAccepted(_ target: String) {
    let digest = Self.digest(target)
    // If the file cannot be read now, it stays as it is, so that the destinations in it are kept.
    guard journal.isInPlace, let before = try? Self.targets(in: folder), !before.contains(digest)
    else { return }
    let targets = before.suffix(Self.mostTargets - 1) + [digest]
    QueueFiles.write(
      targets.map { "\($0)\n" }.joined(), "accepted", in: folder, isDurable: false)
  }

  /// The maximum number of remembered destinations; beyond it, the oldest are forgotten.
  private static var mostTargets: Int { 64 }

  private static func targets(in folder: String) throws(SystemError) -> [String] {
    let text = try QueueFiles.read("accepted", in: folder) ?? ""
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  private static func digest(_ target: String) -> String { "\(StableDigest(target.utf8).uuid)" }
}
