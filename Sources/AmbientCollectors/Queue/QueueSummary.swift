public import Ambient
public import Foundation

/// A summary of the folder of a queue, for programs that inspect the queue but do not send its
/// events.
///
/// ```swift
/// let summary = try QueueSummary(folder: "/var/lib/shop/events")
/// print(summary.destination ?? "", summary.waiting?.count ?? 0, summary.trouble?.reason ?? "")
/// ```
public struct QueueSummary: Hashable, Sendable {
  /// The events in one file of the folder.
  public struct Waiting: Hashable, Sendable {
    /// The number of events.
    public let count: Int
    /// The bytes of these events.
    public let bytes: Int
    /// The time of the oldest event; nil if there is none.
    public let oldest: Date?

    fileprivate init(_ journal: Journal) {
      let waiting = journal.waiting
      (count, bytes, oldest) = (waiting.count, waiting.bytes, waiting.oldest)
    }
  }

  /// The folder of the queue.
  public let folder: String
  /// The collector's name, such as `HTTPAnalytics https://events.example/`; nil if no collector
  /// wrote it.
  public let destination: String?
  /// The waiting events; nil if the queue is in use, since only the process that uses it can count
  /// them.
  public let waiting: Waiting?
  /// The refused events, which ``EventQueue/retryRefused(in:)`` moves back to the queue; nil if
  /// their file does not exist or cannot be opened, or if the queue is in use.
  public let refused: Waiting?
  /// The process that uses the queue; nil if none does, or if it is unknown.
  public let process: Int?
  /// The failure of the last attempt to deliver, which keeps events waiting. The number of attempts
  /// is unknown, so `attempts` is 0.
  public let trouble: DeliveryTrouble?
  /// The numbers of lost events by reason, counted by collectors that were shut down.
  public let lost: [String: Int]

  /// Reads the queue in a folder, and holds the folder's lock meanwhile. The queue's file keeps its
  /// size, even if the queue is empty. No file is created, unless damaged events are counted in the
  /// file `lost`.
  ///
  /// Damaged events are skipped, counted as lost, and reported to `Diagnostics`.
  ///
  /// - Parameter folder: The folder of a collector; no process may have its queue open.
  /// - Throws: `JournalError` if there is no queue, or if it cannot be opened.
  public init(folder: String) throws(JournalError) {
    self.folder = folder
    destination = QueueNotes.destination(in: folder)
    trouble = EventQueue.trouble(in: folder)
    do throws(JournalError) {
      let journal = try Journal(existingIn: folder)
      defer { journal.close() }
      waiting = Waiting(journal)
      // If the file of refused events is damaged, the queue is summarized all the same.
      let file = try? Journal(existingIn: folder, file: RefusedEvents.file)
      refused = file.map(Waiting.init)
      file?.close()
      process = nil
      let damaged = journal.dropped.damaged
      // The next opening finds the queue repaired, so the loss is counted here.
      if damaged > 0 { EventQueue.note(lost: ["damaged in the queue": damaged], in: folder) }
    } catch .inUse(_, let user) {
      waiting = nil
      refused = nil
      process = user
    }
    lost = QueueNotes.lost(in: folder)
  }
}
