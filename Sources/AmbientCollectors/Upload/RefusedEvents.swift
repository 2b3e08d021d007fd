internal import Ambient
internal import Foundation

/// The events that are not delivered since they were refused: a ``Journal`` in the file `refused`
/// beside the queue, from which they are sent again on request.
///
/// The file is made with the first of them. It has the queue's limits of bytes and of age, and its
/// permissions. Whoever opens it has the queue's lock.
final class RefusedEvents: Sendable {
  private struct State {
    var journal: Journal?
    var isClosed = false
    /// What was there when it was closed.
    var left = 0
    var dropped = Journal.Dropped()
    var isFaultTold = false
  }

  static let file = "refused"

  private let folder: String
  private let options: Journal.Options
  private let state: Guarded<State>

  /// Opens the file if there is one.
  init(folder: String, _ options: Journal.Options) {
    self.folder = folder
    self.options = options
    var (journal, fault): (Journal?, JournalError?)
    do throws(JournalError) {
      journal = try Journal(
        existingIn: folder, file: Self.file, maximumAge: options.maximumAge)
    } catch .missing {
    } catch {
      fault = error
    }
    state = Guarded(State(journal: journal, isFaultTold: fault != nil))
    if let fault { report(fault) }
  }

  /// Keeps an event, which then leaves the queue.
  ///
  /// - Returns: Where it stands; nil if it could not be kept, which is reported once.
  func keep(_ record: Journal.Record) -> Journal.Position? {
    guard let journal = journalToFill() else { return nil }
    // Only one task adds events.
    let position = journal.end
    return record.bytes.withUnsafeBytes { journal.append($0, at: record.date) } ? position : nil
  }

  /// Removes what was kept from that position on: it was erased in the queue meanwhile.
  func takeBack(from position: Journal.Position) { erase { $0.position >= position } }

  /// Removes those events, and writes zeros over them; how many.
  @discardableResult
  func erase(where isErased: (Journal.Record) -> Bool) -> Int {
    journal?.erase(where: isErased) ?? 0
  }

  /// Removes what is too old.
  ///
  /// - Returns: After how long the next event is; nil if there is none, or no such age.
  func expire(now: Date) -> Duration? {
    guard let age = options.maximumAge, let journal, journal.count > 0 else { return nil }
    _ = journal.batch(maximumCount: 1, maximumBytes: 0, now: now)
    return journal.oldest.map { age - .seconds(now.timeIntervalSince($0)) }
  }

  /// How many there are.
  var count: Int {
    let (journal, left) = state.withLock { ($0.journal, $0.left) }
    return journal?.count ?? left
  }

  /// How many are there no more, though they were neither erased nor sent again.
  var forgotten: Int {
    let (journal, left) = state.withLock { ($0.journal, $0.dropped) }
    let dropped = journal?.dropped ?? left
    return dropped.full + dropped.expired + dropped.damaged
  }

  /// Releases the file; before the queue's.
  func close() {
    let journal = state.withLock { state in
      state.isClosed = true
      return state.journal
    }
    guard let journal else { return }
    let (count, dropped) = (journal.count, journal.dropped)
    state.withLock { ($0.journal, $0.left, $0.dropped) = (nil, count, dropped) }
    journal.close()
  }

  private var journal: Journal? { state.withLock { $0.journal } }

  /// The file, which is made if it is missing.
  private func journalToFill() -> Journal? {
    let (known, isClosed) = state.withLock { ($0.journal, $0.isClosed) }
    if known != nil || isClosed { return known }
    do throws(JournalError) {
      // Under no lock: what is damaged is reported.
      let made = try Journal(folder: folder, file: Self.file, options)
      let isKept = state.withLock { state in
        if !state.isClosed { state.journal = made }
        return !state.isClosed
      }
      if !isKept { made.close() }
      return isKept ? made : nil
    } catch {
      let isNew = state.withLock { state in
        defer { state.isFaultTold = true }
        return !state.isFaultTold
      }
      if isNew { report(error) }
      return nil
    }
  }

  private func report(_ fault: JournalError) {
    Diagnostics.report(
      Diagnostic(
        .undelivered, source: "EventQueue \(folder)",
        "events that are refused are lost, and not kept beside the queue: \(fault)"))
  }
}
