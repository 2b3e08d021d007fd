// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The refused events: a ``Journal`` in the file `refused` beside the queue's file.
/// `EventQueue.retryRefused(in:)` moves the events back to the queue.
///
/// The first refused event creates the file. The file has the queue's limits of size and age, and
/// the permissions of the queue's file. Only the holder of the queue's lock opens it.
final class RefusedEvents: Sendable {
  private struct State {
    var journal: Journal?
    var isClosed = false
    var isFaultTold = false
  }

  static let file = "refused"

  private let folder: String
  private let options: Journal.Options
  /// The queue, whose lock covers the file.
  private let keeper: Journal
  private let state: Guarded<State>

  /// Opens the file if it exists.
  init(folder: String, _ options: Journal.Options, keeper: Journal) {
    self.folder = folder
    self.options = options
    self.keeper = keeper
    var (journal, fault): (Journal?, JournalError?)
    do throws(JournalError) {
      journal = try Journal(existingIn: folder, file: Self.file, options, keeper: keeper)
    } catch .missing {
    } catch {
      fault = error
    }
    state = Guarded(State(journal: journal, isFaultTold: fault != nil))
    if let fault { report(fault) }
  }

  /// Appends an event; the caller then removes the event from the queue.
  ///
  /// - Returns: The event's position; nil if it could not be appended, which is reported once.
  func keep(_ record: Journal.Record) -> Journal.Position? {
    guard let journal = journalToFill() else { return nil }
    // The journal's end becomes the event's position, because no other task appends.
    let position = journal.end
    return record.bytes.withUnsafeBytes { journal.append($0, at: record.date) } ? position : nil
  }

  /// Removes the events from that position on, because they were meanwhile erased from the queue.
  func takeBack(from position: Journal.Position) { erase { $0.position >= position } }

  /// Removes events, and writes zeros over them; returns their number.
  @discardableResult
  func erase(where isErased: (Journal.Record) -> Bool) -> Int {
    journal?.erase(where: isErased) ?? 0
  }

  /// Removes events that are too old.
  ///
  /// - Returns: The time until the next event is too old; nil if there is no event, or no limit of
  ///   age.
  func expire(now: Date) -> Duration? { journal?.expire(now: now) }

  /// The position after the last event; nil if there is no file.
  var end: Journal.Position? { journal?.end }

  /// The number of refused events; after `close`, the number of events when the file was closed.
  var count: Int { journal?.waiting.count ?? 0 }

  /// The number of events that the file dropped, without those that were erased or sent again.
  var forgotten: Int {
    guard let dropped = journal?.dropped else { return 0 }
    return dropped.full + dropped.expired + dropped.damaged + dropped.unsaved
  }

  /// Closes the file. Called before the queue is closed, because the queue's lock covers this file,
  /// too.
  func close() {
    let journal = state.withLock { state in
      state.isClosed = true
      return state.journal
    }
    journal?.close()
  }

  private var journal: Journal? { state.withLock { $0.journal } }

  /// Returns the open journal. If there is none, opens the journal, and creates its file if the
  /// file is missing.
  ///
  /// After `close`, opens no journal, and returns the closed one, or nil if there is none. Also
  /// returns nil if the journal cannot be opened.
  private func journalToFill() -> Journal? {
    let (known, isClosed) = state.withLock { ($0.journal, $0.isClosed) }
    if known != nil || isClosed { return known }
    keeper.keepFile()
    do throws(JournalError) {
      guard keeper.isInPlace else {
        let path = FileSystem.path(Self.file, in: folder)
        throw .unopened(path: path, reason: "the queue's file is no longer in the folder")
      }
      // The lock of `state` is not held while the journal is opened. Opening may report damage to
      // the program's handler of `Diagnostics`, and the handler may read the collector's status,
      // which takes that lock.
      // The opening does not wait for a lock: it would wait again for each further refused event.
      let made = try Journal(
        folder: folder, file: Self.file, options, keeper: keeper)
      let isKept = state.withLock { state in
        if !state.isClosed { state.journal = made }
        return !state.isClosed
      }
      if !isKept { made.close() }
      return isKept ? made : nil
    } catch {
      if state.withLock({ $0.isFaultTold.turnOn() }) { report(error) }
      return nil
    }
  }

  private func report(_ fault: JournalError) {
    Diagnostics.report(
      .undelivered, source: "EventQueue \(folder)", Self.text(of: fault))
  }

  /// The report of a file that cannot be opened.
  static func text(of fault: JournalError) -> String {
    "cannot keep refused events, so they are lost: \(fault)"
  }
}
