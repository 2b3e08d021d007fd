/// Why records of a journal are lost; each is reported once, and then counted.
enum JournalLoss: CaseIterable {
  case damaged, full, expired, tooLong

  func count(in dropped: Journal.Dropped) -> Int {
    switch self {
    case .damaged: dropped.damaged
    case .full: dropped.full
    case .expired: dropped.expired
    case .tooLong: dropped.tooLong
    }
  }
}

extension Journal {
  /// Reports that records were damaged, and what else was wrong with the file.
  func report(damage count: Int, _ faults: [String], waiting: Int) {
    let what = faults.isEmpty ? "records were changed" : faults.joined(separator: ", ")
    report(
      .damaged,
      """
      the queue was damaged: \(what). \(count) records at least are lost, \(waiting) wait. \
      Look whether the disk is sound, and whether others write to that file.
      """)
  }

  /// Reports what became of a damaged file.
  func report(damage: String) { report(.damaged, damage) }

  /// Reports that records were dropped for the first time, for what the queue can hold.
  func report(_ loss: JournalLoss, longest: Int, capacity: Int, _ age: Duration?) {
    let what =
      switch loss {
      case .damaged: "records were changed"
      case .full:
        """
        the queue of \(capacity) bytes is full, and its oldest records are dropped: see why they \
        are not taken out of it, or give it more room
        """
      case .expired:
        """
        records became older than \(age ?? .zero), and are dropped: see why they are not taken \
        out of the queue, or let them become older
        """
      case .tooLong:
        """
        a record of more than \(longest) bytes was not taken: make records shorter, or give the \
        queue more room
        """
      }
    report(.undelivered, "\(what); further ones are counted")
  }

  private func report(_ kind: Diagnostic.Kind, _ message: String) {
    Diagnostics.report(Diagnostic(kind, source: "Journal \(path)", message))
  }
}
