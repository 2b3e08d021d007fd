// SPDX-License-Identifier: Apache-2.0

/// The outcome of a rotation, and the next step of the owner of the open file.
enum RotationOutcome: Equatable {
  /// The file was renamed to `to`, and is now an archive. The owner must open the log's path again.
  /// A failure says that old archives could not be removed.
  case rotated(to: String, RotationFailure?)
  /// The log's path no longer leads to the file. The owner must open the path again.
  case replaced
  /// The rotation was not due by the file's size and the stored period, or the file is empty. The
  /// owner keeps the file open.
  case notDue
  /// Another process, or this process's compressor, holds a lock that the rotation needs. The owner
  /// keeps the file open, and tries again later.
  case postponed
  /// The file was not renamed. The owner keeps it open, reports the failure, and tries again later.
  case failed(RotationFailure)
}

/// A failed action of a rotation, its file, and the system's error.
struct RotationFailure: Error, Hashable, CustomStringConvertible {
  let action: String
  let path: String
  let error: SystemError

  var description: String { "cannot \(action) “\(path)”: \(error)" }

  /// The function that makes the failure of that action from the system's error.
  static func cannot(_ action: String, _ path: String) -> (SystemError) -> RotationFailure {
    { RotationFailure(action: action, path: path, error: $0) }
  }
}
