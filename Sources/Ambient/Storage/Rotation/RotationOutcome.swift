/// The outcome of a rotation.
enum RotationOutcome: Equatable {
  /// The file is an archive now, at that path: open the log's path again. The failure, if any, is
  /// that old archives could not be removed, or that the log stayed locked.
  case rotated(to: String, RotationFailure?)
  /// Another program renamed the file: open the log's path again.
  case replaced
  /// The rotation was not due after all, by the file's size and the stored period: go on.
  case notDue
  /// Another process works on the files: go on, and try again later.
  case postponed
  /// The file was not renamed: go on, report the failure, and try again later.
  case failed(RotationFailure)
}
