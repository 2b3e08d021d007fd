// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The entries of one request, with the indices of their records.
struct UploadBatch {
  let group: String
  /// The number of bytes of the request besides its entries.
  private let overhead: Int
  private(set) var entries: [(index: Int, bytes: [UInt8])] = []
  /// The size of the request's body in bytes.
  private(set) var bytes: Int
  /// The number of unclear answers to the request.
  var tries = 0
  /// Whether any failure of the request may be the fault of one of its events.
  var isDoubtful = false

  init(group: String, overhead: Int) {
    self.group = group
    self.overhead = overhead
    bytes = overhead
  }

  /// Whether the entry still fits into the request.
  func hasRoom(for entry: EventEntry, _ limits: RequestLimits) -> Bool {
    entries.count < limits.events && bytes + entry.bytes.count + limits.separator <= limits.bytes
  }

  mutating func append(_ index: Int, _ bytes: [UInt8], _ limits: RequestLimits) {
    entries.append((index, bytes))
    self.bytes += bytes.count + limits.separator
  }

  /// The second and the first half of the batch.
  func halves(_ limits: RequestLimits) -> [UploadBatch] {
    func part(_ entries: ArraySlice<(index: Int, bytes: [UInt8])>) -> UploadBatch {
      var part = UploadBatch(group: group, overhead: overhead)
      part.isDoubtful = isDoubtful
      for entry in entries { part.append(entry.index, entry.bytes, limits) }
      return part
    }
    let middle = entries.count / 2
    return [part(entries[middle...]), part(entries[..<middle])]
  }

  /// Splits entries into batches within the limits. Each batch contains entries of one group, in
  /// the order of the records.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the event at a position gets a batch of its own.
  ///   - refuse: Called for each event that is not sent, with the reason.
  static func batches(
    of records: [Journal.Record], for destination: any EventDestination, _ limits: RequestLimits,
    now: Date, isAlone: (Journal.Position) -> Bool = { _ in false },
    refuse: (Int, EventRefusal) -> Void
  ) -> [UploadBatch] {
    var batches: [UploadBatch] = []
    // The index of each group's last batch.
    var open: [String: Int] = [:]
    for index in records.indices {
      let entry: EventEntry
      do throws(EventRefusal) {
        let record = records[index]
        entry = try destination.entry(for: record.bytes, at: record.date, now: now)
      } catch {
        refuse(index, error)
        continue
      }
      let isAlone = isAlone(records[index].position)
      if !isAlone, let place = open[entry.group], batches[place].hasRoom(for: entry, limits) {
        batches[place].append(index, entry.bytes, limits)
        continue
      }
      var batch = UploadBatch(
        group: entry.group, overhead: destination.overhead(of: entry.group))
      guard batch.hasRoom(for: entry, destination.limits) else {
        refuse(index, EventRefusal("too large for a request"))
        continue
      }
      batch.append(index, entry.bytes, limits)
      if !isAlone { open[entry.group] = batches.count }
      batches.append(batch)
    }
    return batches
  }
}
