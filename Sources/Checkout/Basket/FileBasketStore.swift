internal import Foundation

/// A store that keeps its basket in a file of JSON, which is replaced at one stroke.
///
/// Whoever reads the file sees the old basket or the new one, never a part. Safe to use from any
/// thread; of two savers at the same time, one wins.
public struct FileBasketStore: BasketStore, Hashable {
  /// The file.
  public let path: String

  /// The store whose file is `basket.json` in that folder, which is made if it is missing.
  ///
  /// - Throws: ``BasketStoreError/folderNotWritable(path:reason:)``.
  public init(folder: String) throws(BasketStoreError) {
    path = URL(fileURLWithPath: folder, isDirectory: true).appending(path: "basket.json").path
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .folderNotWritable(path: folder, reason: FoundationReason.ofFile(error))
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .folderNotWritable(path: folder, reason: "this user may not write there")
    }
  }

  /// Reads the file; one that is missing holds no basket.
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

  /// Writes a new file beside the old one and puts it in its place.
  public func save(_ basket: Basket) throws(BasketStoreError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(basket).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .folderNotWritable(path: path, reason: FoundationReason.ofFile(error))
    }
  }
}
