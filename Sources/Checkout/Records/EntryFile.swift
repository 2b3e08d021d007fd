internal import Ambient
internal import Foundation

/// A file of JSON records, the entries of a shop or a ledger, in a folder.
struct EntryFile<Entry: Codable & Sendable>: Sendable {
  private let file: RecordFile

  /// The size in bytes.
  var size: Int { file.size }

  /// Opens the file of that name for this process alone; folder and file are made if they are
  /// missing.
  ///
  /// - Returns: The file, its entries, oldest first, and the records that are none.
  static func open(
    _ folder: String, _ name: String
  ) throws(ShopStoreError) -> (file: EntryFile, entries: [Entry], damaged: [[UInt8]]) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .unusable(path: folder, reason: FoundationReason.ofFile(error))
    }
    do throws(SystemError) {
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
  /// - Parameter isSynced: Whether it must outlive a loss of power.
  func append(_ entry: Entry, isSynced: Bool) throws(ShopStoreError) {
    do throws(SystemError) {
      try file.append(Self.record(entry), isSynced: isSynced)
    } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
  }

  /// Puts a file of these entries in this one's place, at one stroke.
  func replace(by entries: [Entry]) throws(ShopStoreError) {
    do throws(SystemError) { try file.replace(by: entries.map(Self.record)) } catch {
      throw .notWritten(path: file.path, reason: "\(error)")
    }
  }

  /// Moves damaged records to a file beside this one, which is replaced by the entries, and logs
  /// that.
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
    // Numbers, texts and dates within their limits: nothing that JSON cannot say.
    (try? JSONEncoder().encode(entry)).map(Array.init) ?? []
  }
}
