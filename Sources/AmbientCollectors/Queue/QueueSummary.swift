// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A summary of the folder of a queue, for programs that inspect the queue but do not send its
/// events.
///
/// ```swift
/// let summary = try QueueSummary(folder: "/var/lib/shop/events")
/// print(summary.destination ?? "", summary.waiting?.count ?? 0, summary.trouble?.reason ?? "")
/// ```
public struct QueueSummary: Hashable, Sendable {
  /// The number, the size and the age of the events in one file of the folder.
  public struct Waiting: Hashable, Sendable {
    /// The number of events.
    public let count: Int
    /// The total size of these events' lines, in bytes.
    public let bytes: Int
    /// The time of the file's first event; nil if there is none.
    public let oldest: Date?

    fileprivate init(_ journal: Journal) {
      let waiting = journal.waiting
      (count, bytes, oldest) = (waiting.count, waiting.bytes, waiting.oldest)
    }
  }

  /// The name of the collector that used the folder last, as in reports.
  ///
  /// An example is `HTTPAnalytics https://events.example/`. The name is nil if no collector has
  /// stored it in the folder, or if its file cannot be read.
  public let destination: String?
  /// The waiting events; nil if the queue is in use, since only the process that uses it can count
  /// them.
  public let waiting: Waiting?
  /// The refused events, which ``EventQueue/retryRefused(in:)`` moves back to the queue.
  ///
  /// Nil if their file does not exist or cannot be opened, or if the queue is in use.
  public let refused: Waiting?
  /// The id of the process that uses the queue; nil if no process uses it, or if the id is unknown.
  public let process: Int?
  /// The failure that makes events wait, or nil if the last attempt to deliver did not fail, or no
  /// event waited.
  ///
  /// Also nil if its file cannot be read. The number of attempts is not stored in the folder, so
  /// `attempts` is 0.
  public let trouble: DeliveryTrouble?
  /// The numbers of lost events by reason, as stored in the folder.
  ///
  /// A collector adds its numbers when it is first shut down; a summary and
  /// ``EventQueue/retryRefused(in:)`` add the damaged events that they find. The numbers are empty
  /// if their file cannot be read.
  public let lost: [String: Int]

  /// Reads the queue in a folder, and keeps the folder locked meanwhile.
  ///
  /// Does not change the size of the queue's file, even if the queue is empty. Creates no file,
  /// except that the file `lost` is created if the queue contains damaged events.
  ///
  /// Damaged events are skipped, and reported to `Diagnostics`; those of the queue count as lost.
  /// If this process has the queue open, the initializer blocks the calling thread for a second.
  ///
  /// - Parameter folder: The folder of a collector. No events are read if its queue is in use.
  /// - Throws: ``CollectorError`` if there is no queue, or if it cannot be opened. Throws nothing
  ///   if the queue is in use.
  public init(folder: String) throws(CollectorError) {
    destination = EventQueue.destination(in: folder)
    trouble = EventQueue.trouble(in: folder)
    do throws(JournalError) {
      let journal = try EventQueue.openCountingDamage(in: folder)
      defer { journal.close() }
      waiting = Waiting(journal)
      // If the file of refused events cannot be opened, `refused` becomes nil, and the rest is
      // summarized.
      let file = try? Journal(existingIn: folder, file: RefusedEvents.file)
      refused = file.map(Waiting.init)
      file?.close()
      process = nil
    } catch .inUse(_, let user) {
      waiting = nil
      refused = nil
      process = user
    } catch {
      throw .queue(error)
    }
    lost = (try? EventQueue.lost(in: folder)) ?? [:]
  }
}
