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
    report(
      .damaged,
      """
      the queue was damaged: \(what). \(count) records at least are lost, \(waiting) wait. \
      Check whether the disk is sound, and whether other programs write to that file.
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
        the queue of \(capacity) bytes is full, and its oldest records are dropped: see why they \
        are not taken out of it, or give it more room
        """
    case .expired:
      what = """
        records became older than \(maximumAge ?? .zero), and are dropped: see why they are not taken \
        out of the queue, or let them become older
        """
    case .tooLong:
      what = """
        a record of more than \(longest) bytes was not taken: make records shorter, or give the \
        queue more room
        """
    case .unsaved:
      return report(
        .undelivered,
        """
        \(dropped.unsaved) records still waited when the queue was closed, and are lost, since its \
        file could not be written again. If its folder was moved, open the queue where the folder is \
        now: the records are there.
        """)
    }
    report(.undelivered, "\(what); further ones are counted")
  }

  func report(_ kind: Diagnostic.Kind, _ message: String) {
    Diagnostics.report(kind, source: "Journal \(path)", message)
  }
}
