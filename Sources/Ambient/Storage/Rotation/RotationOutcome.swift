/// The outcome of a rotation.
enum RotationOutcome: Equatable {
  /// The file was renamed to `to`, and is now an archive: open the log's path again. A failure says
  /// that old archives could not be removed, or that the log stayed locked.
  case rotated(to: String, RotationFailure?)
  /// Another program renamed the file: open the log's path again.
  case replaced
  /// By the file's size and the stored period, the rotation was not due: go on.
  case notDue
  /// Another process works on the files: go on, and try again later.
  case postponed
  /// The file was not renamed: go on, report the failure, and try again later.
  case failed(RotationFailure)
}
