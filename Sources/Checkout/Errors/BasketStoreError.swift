// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a store cannot read or write its basket.
public enum BasketStoreError: DescribedError, Hashable {
  /// The folder cannot be created, or its files cannot be written.
  case folderNotWritable(path: String, reason: String)
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file does not contain a basket.
  case notABasket(path: String, field: String, reason: String)
  /// Another process has held the lock of the file for ten seconds.
  case inUse(path: String)

  /// The file, the reason, and advice.
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .folderNotWritable(let path, let reason):
      "cannot store the basket in \(path): \(reason); choose a folder that this user may write to"
    case .unreadable(let path, let reason):
      "cannot read the basket \(path): \(reason); make it readable, or choose another folder"
    case .notABasket(let path, let field, let reason):
      "\(path): \(field.isEmpty ? "" : "\(field): ")\(reason); fix the file, or remove it to start over"
    case .inUse(let path):
      "another process, perhaps a suspended one, has locked the basket \(path); end that process"
    }
  }
}
