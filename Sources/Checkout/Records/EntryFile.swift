internal import Ambient
internal import Foundation

/// A file of JSON records, the entries of a shop or a ledger, in a folder.
struct EntryFile<Entry: Codable & Sendable>: Sendable {
  private let file: RecordFile

  /// The size in bytes.
  var size: Int { file.size }

  /// Opens the file of that name for this process alone; makes folder and file if they are missing.
  ///
  /// - Returns: The file, its entries, oldest first, and the records that are not entries.
  static func open(
    _ folder: String, _ name: String
  ) throws(ShopStoreError) -> (file: EntryFile, entries: [Entry], damaged: [[UInt8]]) {
    do throws(SystemError) {
      try FileSystem.makeFolders(folder)
      let (file, contents) = try RecordFile.open("\(folder)/\(name)")
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
      if error == .isInUse { throw .inUse(path: folder) }
      throw .unusable(path: folder, reason: "\(error)")
    }
  }

  /// Appends an entry, wholly or not at all.
  ///
  /// - Parameter isSynced: Whether it must survive a loss of power.
  func append(_ entry: Entry, isSynced: Bool) throws(ShopStoreError) {
    do throws(SystemError) {
      try file.append(Self.record(entry), isSynced: isSynced)
    } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
  }

  /// Replaces the file by one with these entries, in one step.
  func replace(by entries: [Entry]) throws(ShopStoreError) {
    do throws(SystemError) { try file.replace(by: entries.map(Self.record)) } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
  }

  /// Moves damaged records to a file beside this one, replaces this file by one with the entries,
  /// and logs that.
  ///
  /// - Returns: The path of that file; nil if nothing is damaged.
  func setAside(
    _ damaged: [[UInt8]], keeping entries: @autoclosure () -> [Entry]
  ) throws(ShopStoreError) -> String? {
    if damaged.isEmpty { return nil }
    let path: String
    do throws(SystemError) { path = try file.setAside(damaged) } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
    try replace(by: entries())
    Log.error("damaged records set aside", ["records": damaged.count, "file": path])
    return path
  }

  private static func record(_ entry: Entry) -> [UInt8] {
    // Never fails: entries contain only numbers, texts and dates that JSON can represent.
    (try? JSONEncoder().encode(entry)).map(Array.init) ?? []
  }
}
