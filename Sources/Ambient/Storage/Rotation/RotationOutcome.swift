/// The outcome of a rotation.
enum RotationOutcome: Equatable {
  /// The file was renamed to `to`, and is now an archive: open the log's path again. A failure says
  /// that old archives could not be removed, or that the log stayed locked.
  case rotated(to: String, RotationFailure?)
  /// The log's path no longer leads to the file: open the path again.
  case replaced
  /// No rotation was due, because the file is empty, or is not full and its stored period is not
  /// over: keep the file open.
  case notDue
  /// Another process, or this process's compressor, holds a lock that the rotation needs: keep the
  /// file open, and try again later.
  case postponed
  /// The file was not renamed: keep it open, report the failure, and try again later.
  case failed(RotationFailure)
}
