// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension EventQueue {
  /// Opens the queue of a folder that no collector has open, and counts the queue's damaged events
  /// as lost.
  ///
  /// The events are counted here, because opening repairs the queue: no later opening finds the
  /// damage.
  static func openCountingDamage(in folder: String) throws(JournalError) -> Journal {
    let journal = try Journal(existingIn: folder)
    let damaged = journal.dropped.damaged
    if damaged > 0 { note(lost: ["damaged in the queue": damaged], in: folder) }
    return journal
  }

  /// Moves the refused events of a folder back to the end of its queue.
  ///
  /// The next collector that opens the folder sends these events with their original identities.
  ///
  /// Moves as many events as the queue has room for. An event keeps its time, so a queue with a
  /// limit of age may remove it as too old. If the process ends during the move, at most one event
  /// is both in the queue's file and in the file of refused events. Damaged events are skipped, and
  /// reported to `Diagnostics`; those of the queue count as lost. If this process has the folder
  /// open, the method blocks the calling thread for a second before it throws.
  ///
  /// - Parameter folder: The queue's folder; no ``EventQueue`` may have it open.
  /// - Returns: The numbers of moved and of remaining events.
  /// - Throws: ``CollectorError`` if there is no queue, if a queue of this or another process has
  ///   the folder open, or if one of these files cannot be opened.
  @discardableResult
  public static func retryRefused(
    in folder: String
  ) throws(CollectorError) -> (moved: Int, left: Int) {
    let (queue, refused): (Journal, Journal?)
    do throws(JournalError) {
      (queue, refused) = try openWithRefused(in: folder)
    } catch {
      throw .queue(error)
    }
    defer { queue.close() }
    guard let refused else { return (0, 0) }
    defer { refused.close() }
    var moved = 0
    while let record = refused.batch(maximumCount: 1, maximumBytes: .max, now: .now).first {
      guard queue.hasRoom(for: record.bytes.count),
        record.bytes.withUnsafeBytes({ queue.append($0, at: record.date) })
      else { break }
      // `acknowledge` also overwrites the record with zeros.
      refused.acknowledge([record.position])
      moved += 1
    }
    return (moved, refused.count)
  }

  /// Opens the queue of a folder, and the file of refused events if there is one.
  private static func openWithRefused(
    in folder: String
  ) throws(JournalError) -> (queue: Journal, refused: Journal?) {
    let queue = try openCountingDamage(in: folder)
    do throws(JournalError) {
      return (queue, try Journal(existingIn: folder, file: RefusedEvents.file))
    } catch {
      if case .missing = error { return (queue, nil) }
      queue.close()
      throw error
    }
  }
}
