public import Ambient
public import Foundation

/// What waits in the folder of a queue, told from outside, by whoever does not send it.
///
/// ```swift
/// let summary = try QueueSummary(folder: "/var/lib/shop/events")
/// print(summary.destination ?? "", summary.waiting?.count ?? 0, summary.trouble?.reason ?? "")
/// ```
public struct QueueSummary: Hashable, Sendable {
  /// Events in a file.
  public struct Waiting: Hashable, Sendable {
    /// How many they are.
    public let count: Int
    /// How many bytes they have.
    public let bytes: Int
    /// When the oldest of them was tracked; nil if there is none.
    public let oldest: Date?

    fileprivate init(_ journal: Journal) {
      count = journal.count
      bytes = journal.byteCount
      oldest = journal.oldest
    }
  }

  /// The folder.
  public let folder: String
  /// What reports call the destination, as `HTTPAnalytics https://events.example/`; nil if no
  /// collector has said it.
  public let destination: String?
  /// What waits; nil if the queue is in use, when only its collector knows.
  public let waiting: Waiting?
  /// What was refused, and is sent again by ``EventQueue/retryRefused(in:)``; nil if there is no
  /// such file, if it is none of ours, or if the queue is in use.
  public let refused: Waiting?
  /// The process that uses the queue, if it is in use and that is known.
  public let process: Int?
  /// Why events wait, if the last attempt to send some has failed. Its attempts are not counted.
  public let trouble: DeliveryTrouble?
  /// How many events were lost, by reason, as far as collectors have come to an end.
  public let lost: [String: Int]

  /// Looks at the queue in that folder, which nobody else can open meanwhile. Nothing is made, and
  /// an empty queue stays as large as it is.
  ///
  /// What is damaged in it is passed over, counted as lost, and reported to `Diagnostics`.
  ///
  /// - Parameter folder: The folder of a collector, whose queue no process has open.
  /// - Throws: `JournalError` if there is no queue, or what stands there cannot be opened.
  public init(folder: String) throws(JournalError) {
    self.folder = folder
    destination = QueueNotes.destination(in: folder)
    trouble = EventQueue.trouble(in: folder)
    do throws(JournalError) {
      let journal = try Journal(existingIn: folder)
      defer { journal.close() }
      waiting = Waiting(journal)
      // What is wrong with it keeps nothing of the queue from being told.
      let file = try? Journal(existingIn: folder, file: RefusedEvents.file)
      refused = file.map(Waiting.init)
      file?.close()
      process = nil
      let damaged = journal.dropped.damaged
      // Whoever opens it next finds it repaired.
      if damaged > 0 { EventQueue.note(lost: ["damaged in the queue": damaged], in: folder) }
    } catch .inUse(_, let user) {
      waiting = nil
      refused = nil
      process = user
    }
    lost = QueueNotes.lost(in: folder)
  }
}
