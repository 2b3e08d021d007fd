// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A reason for which a journal loses records. Only the first loss for each reason is reported;
/// further losses are counted.
enum JournalLoss: CaseIterable {
  case damaged, full, expired, tooLong, unsaved
}

extension Journal.Dropped {
  /// The number of records that were lost for that reason.
  subscript(loss: JournalLoss) -> Int {
    get {
      switch loss {
      case .damaged: damaged
      case .full: full
      case .expired: expired
      case .tooLong: tooLong
      case .unsaved: unsaved
      }
    }
    set {
      switch loss {
      case .damaged: damaged = newValue
      case .full: full = newValue
      case .expired: expired = newValue
      case .tooLong: tooLong = newValue
      case .unsaved: unsaved = newValue
      }
    }
  }
}

extension Journal {
  /// Reports the number of damaged records, and the other damage to the file that `faults`
  /// describes.
  func report(damage count: Int, _ faults: [String], waiting: Int) {
    let what = faults.isEmpty ? "records were changed" : faults.joined(separator: ", ")
    let lost = count == 0 ? "unknown" : "at least \(count)"
    report(
      .damaged,
      """
      the queue was damaged (\(what)); records lost: \(lost), waiting: \(waiting). Check the \
      disk, and whether other programs write to the file.
      """)
  }

  /// Reports that records were lost for the reason `loss`. Unless the reason is damage, the message
  /// contains the limit of the queue that was exceeded.
  func report(_ loss: JournalLoss, of dropped: Dropped, waiting: Int, longest: Int) {
    let what: String
    switch loss {
    case .damaged: return report(damage: dropped.damaged, [], waiting: waiting)
    case .full:
      what = """
        the queue of \(capacity) bytes is full and drops its oldest records: check why they are \
        not delivered, or increase its capacity
        """
    case .expired:
      what = """
        records older than \(maximumAge ?? .zero) are dropped: check why they are not delivered, \
        or increase the maximum age
        """
    case .tooLong:
      what = """
        a record of more than \(longest) bytes was dropped: shorten the records, or increase the \
        queue's capacity
        """
    case .unsaved:
      return report(
        .undelivered,
        """
        could not save \(dropped.unsaved.with("record")) when the queue was closed, because the \
        queue's file could not be written again. If you moved the queue's folder, open the queue in \
        the new place: the records are there.
        """)
    }
    report(.undelivered, "\(what); further such losses are only counted")
  }

  /// The report of a file that lost pages, or was moved, removed or replaced.
  ///
  /// - Parameter error: The reason why the file cannot be written again; nil if it was written.
  static func text(of trouble: MappedRing.Trouble, _ error: JournalError?) -> String {
    let isLost = trouble == .lostPages
    let what =
      isLost
      ? "the queue's file was truncated, or the disk failed"
      : "the queue's file was moved, removed or replaced"
    if let error {
      return """
        \(what). Records now wait in memory, and are lost when the process ends, because the file \
        cannot be written again: \(error)
        """
    }
    let advice = isLost ? "" : ". Close a queue before you move or remove its folder."
    return "\(what); the remaining records were written to a new file\(advice)"
  }

  func report(_ kind: Diagnostic.Kind, _ message: String) {
    Diagnostics.report(kind, source: "Journal \(path)", message)
  }
}
