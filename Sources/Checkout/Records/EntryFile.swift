// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A file of JSON records in a folder. The records are the entries of a shop or of a ledger.
struct EntryFile<Entry: Codable & Sendable>: Sendable {
  private let file: RecordFile

  /// The size in bytes.
  var size: Int { file.size }

  /// Opens the file called `name` in a folder, for this process alone. Creates the folder and the
  /// file if they are missing.
  ///
  /// - Returns: The file; its entries, oldest first; and the records that are damaged or cannot be
  ///   decoded as entries.
  static func open(
    _ folder: String, _ name: String
  ) throws(ShopStoreError) -> (file: EntryFile, entries: [Entry], damaged: [[UInt8]]) {
    do throws(SystemError) {
      try FileSystem.makeFolders(folder)
      let (file, contents) = try RecordFile.open(FileSystem.path(name, in: folder))
      var entries: [Entry] = []
      var damaged = contents.damaged
      for record in contents.records {
        if let entry = try? JSONDecoder().decode(Entry.self, from: Data(record)) {
          entries.append(entry)
        } else {
          damaged.append(record)
        }
      }
      return (EntryFile(file: file), entries, damaged)
    } catch {
      if error == .inUse { throw .inUse(path: folder) }
      throw .unusable(path: folder, reason: "\(error)")
    }
  }

  /// Appends an entry, wholly or not at all.
  ///
  /// - Parameter isSynced: Whether to wait until the entry is on the disk, so that it survives a
  ///   loss of power.
  func append(_ entry: Entry, isSynced: Bool) throws(ShopStoreError) {
    let record = try record(entry)
    try attempt(file.append(record, isSynced: isSynced), or: notWritten)
  }

  /// Replaces the file by one with these entries, in one step.
  func replace(by entries: [Entry]) throws(ShopStoreError) {
    let records = try entries.map(record)
    try attempt(file.replace(by: records), or: notWritten)
  }

  /// Appends damaged records to a file beside this one, replaces this file by one with only the
  /// entries, and logs an error.
  ///
  /// - Returns: The path of the file with the damaged records; nil if there are none.
  func setAside(
    _ damaged: [[UInt8]], keeping entries: @autoclosure () -> [Entry]
  ) throws(ShopStoreError) -> String? {
    if damaged.isEmpty { return nil }
    let path = try attempt(file.setAside(damaged), or: notWritten)
    try replace(by: entries())
    Log.error("damaged records set aside", ["records": damaged.count, "file": path])
    return path
  }

  private func notWritten(_ error: SystemError) -> ShopStoreError {
    .notWritten(path: file.path, reason: "\(error)")
  }

  private func record(_ entry: Entry) throws(ShopStoreError) -> [UInt8] {
    do { return Array(try JSONEncoder().encode(entry)) } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
  }
}
