// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A store that keeps its basket in a file of JSON, which is replaced in one step.
///
/// Readers see the old basket or the new one, never a part. A lock on a second file makes sure that
/// only one process changes the basket at a time. Safe to use from any thread.
public struct FileBasketStore: BasketStore, Hashable {
  /// The path of the file.
  public let path: String
  private let lockPath: String
  private let patience: Duration

  /// Creates a store whose file is `basket.json` in `folder`. A missing folder is created.
  ///
  /// - Parameter folder: The path of the folder, absolute or relative to the current one.
  /// - Throws: ``BasketStoreError/folderNotWritable(path:reason:)``.
  public init(folder: String) throws(BasketStoreError) {
    // A change holds the lock only briefly. A process that holds it for ten seconds is probably
    // suspended, so the store then stops waiting.
    try self.init(folder: folder, patience: .seconds(10))
  }

  package init(folder: String, patience: Duration) throws(BasketStoreError) {
    self.patience = patience
    path = FileSystem.absolute(FileSystem.path("basket.json", in: folder))
    lockPath = FileSystem.absolute(FileSystem.path(".basket.lock", in: folder))
    try attempt(
      FileSystem.makeFolders(folder),
      or: { BasketStoreError.folderNotWritable(path: folder, reason: "\($0)") })
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .folderNotWritable(path: folder, reason: "this user may not write there")
    }
  }

  /// Reads the file; nil if it is missing.
  public func load() throws(BasketStoreError) -> Basket? {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    } catch {
      throw .unreadable(path: path, reason: FoundationReason.ofFile(error))
    }
    do {
      return try JSONDecoder().decode(Basket.self, from: data)
    } catch {
      let fault = DecodingFault(error, in: data)
      throw .notABasket(path: path, field: fault.field, reason: fault.reason)
    }
  }

  /// Replaces the file in one step, by renaming a new file, if `old` is still stored.
  ///
  /// Waits up to 10 seconds if another process holds the lock.
  ///
  /// - Parameters:
  ///   - old: The basket that was read before; nil if none was stored.
  ///   - new: The new content of the file.
  /// - Returns: False, with the file unchanged, if another thread or process has replaced `old`.
  /// - Throws: ``BasketStoreError`` if the file cannot be locked, read or written.
  public func replace(_ old: Basket?, with new: Basket) throws(BasketStoreError) -> Bool {
    let held = try lock()
    let isReplaced = Result { () throws(BasketStoreError) in
      guard try load() == old else { return false }
      try write(new)
      return true
    }
    held.release()
    return try isReplaced.get()
  }

  private func write(_ new: Basket) throws(BasketStoreError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(new).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .folderNotWritable(path: path, reason: FoundationReason.ofFile(error))
    }
  }

  private func lock() throws(BasketStoreError) -> FileLock {
    let lock = try attempt(
      FileLock.take(lockPath, mode: 0o600, patience: patience),
      or: { BasketStoreError.folderNotWritable(path: path, reason: "\($0)") })
    guard let lock else { throw .inUse(path: path) }
    return lock
  }
}
