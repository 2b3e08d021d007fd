internal import Ambient
internal import Foundation

/// The file `client-id` in a queue's folder. It stores the id by which analytics servers recognize
/// the client.
enum ClientID {
  static func kept(in folder: String, _ permissions: UInt16) throws(CollectorError) -> String {
    let path = QueueFiles.path("client-id", in: folder)
    let text: String?
    do throws(SystemError) {
      text = try FileSystem.text(path, limit: 4_096)
    } catch {
      // Creating an id would overwrite the stored id, which may be readable at the next start.
      throw .clientID(path: path)
    }
    if let text {
      let known = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if !known.isEmpty, known.utf8.count <= 200, known.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) {
        return known
      }
    }
    let range = 1...UInt32(Int32.max)
    let made = "\(UInt32.random(in: range)).\(UInt32.random(in: range))"
    do throws(SystemError) {
      // The file is replaced atomically, because half an id would identify another client. The
      // write is not durable, because waiting for the disk would delay the caller. After a loss of
      // power, a new id is created.
      try FileSystem.replace(path, by: "\(made)\n", permissions: permissions, isDurable: false)
    } catch {
      throw .clientID(path: path)
    }
    return made
  }
}
