// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The error of a queue that could not be opened.
package enum JournalError: DescribedError, Hashable {
  /// Another process, or another ``Journal`` of this one, has the folder open. `process` is the
  /// number of that process, if it is known.
  case inUse(path: String, process: Int?)
  /// There is no queue to open.
  case missing(path: String)
  /// The folder's path, or a part of it, leads to something that is not a folder.
  case notAFolder(path: String)
  /// The user of this process has no permission to create the folder or to write to the file.
  case notPermitted(path: String, reason: String)
  /// The disk has no room for this number of bytes.
  case full(path: String, bytes: Int, reason: String)
  /// The file system cannot lock files, map them into memory, or share mapped memory.
  case unsupported(path: String, reason: String)
  /// The file was written by another version of Ambient.
  case otherVersion(path: String, version: Int)
  /// The file is not a queue of this user; it was left unchanged.
  case foreign(path: String, reason: String)
  /// The system could not open the file.
  case unopened(path: String, reason: String)

  /// The queue, the reason, and in most cases advice, without control characters of the path.
  package var description: String { text.escaped }

  private var text: String {
    switch self {
    case .inUse(let path, let process):
      """
      the queue “\(path)” is in use by \(Self.user(process)); close it there, or choose \
      another folder
      """
    case .missing(let path): "there is no queue “\(path)”; pass the folder of a queue"
    case .notAFolder(let path):
      path.isEmpty
        ? "the queue's folder is an empty path; pass the path of a folder"
        : "cannot create a queue in “\(path)”: it is not a folder; choose another path"
    case .notPermitted(let path, let reason):
      """
      cannot write the queue “\(path)”: \(reason); choose a folder that this user may write to
      """
    case .full(let path, let bytes, let reason):
      """
      cannot reserve \(bytes) bytes for the queue “\(path)”: \(reason); free disk space, or choose \
      a smaller capacity
      """
    case .unsupported(let path, let reason):
      "the file system of “\(path)” cannot hold a queue: \(reason); choose a folder on a local disk"
    case .otherVersion(let path, let version):
      """
      the queue “\(path)” has version \(version), which this version of Ambient cannot read; \
      deliver its records with the version that wrote it, or choose another folder
      """
    case .foreign(let path, let reason):
      "cannot use “\(path)” as a queue: \(reason); the path was left unchanged; choose another folder"
    case .unopened(let path, let reason):
      "cannot open the queue “\(path)”: \(reason)"
    }
  }

  /// Describes the process that uses the queue. Each container numbers its own processes, so a
  /// process with our number may be in another container.
  private static func user(_ process: Int?) -> String {
    guard let process else { return "another process" }
    let isOurs = process == SystemThread.process
    return "process \(process)" + (isOurs ? " (this process, or one in another container)" : "")
  }

  init(_ error: SystemError, path: String, bytes: Int = 0) {
    let reason = error.description
    self =
      switch error.number {
      // mkdir(2) fails with EEXIST if the path is a dangling link.
      case ENOTDIR, EEXIST: .notAFolder(path: path)
      case EACCES, EPERM, EROFS: .notPermitted(path: path, reason: reason)
      case ENOSPC, EDQUOT, EFBIG: .full(path: path, bytes: bytes, reason: reason)
      case ELOOP, EISDIR, ENXIO: .foreign(path: path, reason: reason)
      // The file system cannot map files, reserve room, or lock. ENOTSUP equals EOPNOTSUPP on
      // Linux, but not on Apple's systems, which return either.
      case ENODEV, ENOTSUP, EOPNOTSUPP, ENOSYS, ENOLCK, EINVAL:
        .unsupported(path: path, reason: reason)
      default: .unopened(path: path, reason: reason)
      }
  }
}
