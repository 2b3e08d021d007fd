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
