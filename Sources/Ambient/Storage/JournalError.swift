/// A queue that could not be opened.
public enum JournalError: DescribedError, Hashable {
  /// Another process, or another ``Journal`` of this one, has the folder open; the number of the
  /// process, if it is known.
  case inUse(path: String, process: Int?)
  /// There is no queue to be looked at.
  case missing(path: String)
  /// Something has the folder's name, or a part of its path, that is no folder.
  case notAFolder(path: String)
  /// This user may not make the folder, or write to the file.
  case notPermitted(path: String, reason: String)
  /// There is no room on the disk for so many bytes.
  case full(path: String, bytes: Int, reason: String)
  /// The file system cannot lock files, map them into memory, or share what is mapped.
  case unsupported(path: String, reason: String)
  /// The file was written by another version of Ambient.
  case otherVersion(path: String, version: Int)
  /// What stands there is no queue of this user's; it was left as it is.
  case foreign(path: String, reason: String)
  /// The system could not open it.
  case unopened(path: String, reason: String)

  /// Says which queue, why, and what to do.
  public var description: String {
    switch self {
    case .inUse(let path, let process):
      """
      the queue “\(path)” is in use by \(Self.user(process)); give each its own folder, or close \
      that first
      """
    case .missing(let path): "there is no queue “\(path)”; name the folder of one"
    case .notAFolder(let path):
      path.isEmpty
        ? "a queue has no folder; name one"
        : "cannot make a queue in “\(path)”: that is no folder; choose another"
    case .notPermitted(let path, let reason):
      """
      cannot write the queue “\(path)”: \(reason); choose a folder that this user may write to
      """
    case .full(let path, let bytes, let reason):
      """
      cannot take \(bytes) bytes for the queue “\(path)”: \(reason); make room, or choose a smaller \
      capacity
      """
    case .unsupported(let path, let reason):
      """
      the file system of “\(path)” cannot keep a queue: \(reason); choose a folder on a disk of this \
      machine
      """
    case .otherVersion(let path, let version):
      """
      the queue “\(path)” has version \(version), which this version of Ambient does not read; \
      deliver what waits with the version that wrote it, or choose another folder
      """
    case .foreign(let path, let reason):
      "“\(path)” is no queue of this user's: \(reason); it was left as it is, choose another folder"
    case .unopened(let path, let reason):
      "cannot open the queue “\(path)”: \(reason); choose another folder"
    }
  }

  /// A container has numbers of its own: what has ours there may be another.
  private static func user(_ process: Int?) -> String {
    guard let process else { return "another process" }
    let isOurs = process == SystemThread.process
    return "process \(process)" + (isOurs ? " (this one, unless that is in another container)" : "")
  }

  init(_ error: SystemError, path: String, bytes: Int = 0) {
    let reason = error.description
    self =
      if error.isOfNoFolder {
        .notAFolder(path: path)
      } else if error.isForbidden {
        .notPermitted(path: path, reason: reason)
      } else if error.isOutOfSpace {
        .full(path: path, bytes: bytes, reason: reason)
      } else if error.isOfNoFile {
        .foreign(path: path, reason: reason)
      } else if error.isUnsupported {
        .unsupported(path: path, reason: reason)
      } else {
        .unopened(path: path, reason: reason)
      }
  }
}
