// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The file `client-id` in a queue's folder. It stores the id by which analytics servers recognize
/// the client.
enum ClientID {
  static func kept(in folder: String, _ permissions: UInt16) throws(CollectorError) -> String {
    let path = FileSystem.path("client-id", in: folder)
    // If the stored id cannot be read now, this function throws and makes no new id. A new id would
    // overwrite the stored id, which may be readable at the next start.
    let text = try attempt(
      FileSystem.text(path, limit: 4_096), or: { _ in CollectorError.clientID(path: path) })
    if let text {
      let known = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if !known.isEmpty, known.utf8.count <= 200, known.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) {
        return known
      }
    }
    let range = 1...UInt32(Int32.max)
    let made = "\(UInt32.random(in: range)).\(UInt32.random(in: range))"
    try keep(made, in: folder, permissions)
    return made
  }

  /// Stores the id.
  static func keep(
    _ id: String, in folder: String, _ permissions: UInt16
  ) throws(CollectorError) {
    let path = FileSystem.path("client-id", in: folder)
    // The file is replaced atomically, because half an id would identify another client. The write
    // is not durable, because waiting for the disk would delay the caller. After a loss of power, a
    // new id is created.
    try attempt(
      FileSystem.replace(path, by: "\(id)\n", permissions: permissions, isDurable: false),
      or: { _ in CollectorError.clientID(path: path) })
  }
}
