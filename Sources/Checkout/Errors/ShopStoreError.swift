// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a shop's store cannot be opened or written.
public enum ShopStoreError: DescribedError, Hashable {
  /// The folder cannot be created, read or written.
  case unusable(path: String, reason: String)
  /// Another process has the store open.
  case inUse(path: String)
  /// The store belongs to another shop.
  case otherShop(path: String, name: String)
  /// The store was written by a newer version of this package.
  case newer(path: String, version: Int)
  /// A record could not be written to the disk, so the change did not happen.
  case notWritten(path: String, reason: String)

  /// The fault, and advice.
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .unusable(let path, let reason):
      "cannot use the shop's store \(path): \(reason); repair it, or choose another folder"
    case .inUse(let path):
      "the shop's store \(path) is in use by another process; end that process first"
    case .otherShop(let path, let name):
      "the store \(path) belongs to the shop “\(name)”; choose another folder"
    case .newer(let path, let version):
      """
      the shop's store \(path) was written by a newer version of this program (store version \
      \(version)); update the program
      """
    case .notWritten(let path, let reason):
      "cannot write to the shop's store \(path): \(reason); free disk space, and try again"
    }
  }
}
