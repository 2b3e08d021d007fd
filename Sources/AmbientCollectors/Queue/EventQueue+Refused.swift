public import Ambient
internal import Foundation

extension EventQueue {
  /// Moves the refused events of that folder back into its queue, behind those that wait: the next
  /// collector that opens the folder sends them, with the identities that they had.
  ///
  /// They are moved as far as the queue has room for them. A process that ends meanwhile leaves one
  /// of them in both files at most.
  ///
  /// - Parameter folder: The queue's folder, which no collector has open.
  /// - Returns: How many were moved, and how many stay.
  /// - Throws: `JournalError` if there is no queue, if it is in use, or if one of the two files
  ///   cannot be opened.
  @discardableResult
  public static func retryRefused(
    in folder: String
  ) throws(JournalError) -> (moved: Int, left: Int) {
    let queue = try Journal(existingIn: folder)
    defer { queue.close() }
    let refused: Journal
    do throws(JournalError) {
      refused = try Journal(existingIn: folder, file: RefusedEvents.file)
    } catch .missing {
      return (0, 0)
    }
    defer { refused.close() }
    var moved = 0
    while let record = refused.batch(maximumCount: 1, maximumBytes: .max, now: .now).first {
      guard queue.hasRoom(for: record.bytes.count),
        record.bytes.withUnsafeBytes({ queue.append($0, at: record.date) })
      else { break }
      // With zeros written over it.
      _ = refused.acknowledge([record.position])
      moved += 1
    }
    return (moved, refused.count)
  }
}
