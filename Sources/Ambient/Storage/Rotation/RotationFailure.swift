/// A failed action of a rotation, its file, and the system's error.
struct RotationFailure: Error, Hashable, CustomStringConvertible {
  let action: String
  let path: String
  let error: SystemError

  var description: String { "cannot \(action) “\(path)”: \(error)" }

  /// Calls `body`. If `body` throws, throws a failure with the action, the path and the error.
  static func attempt<Result: ~Copyable>(
    to action: String, _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(RotationFailure) -> Result {
    do throws(SystemError) { return try body() } catch {
      throw RotationFailure(action: action, path: path, error: error)
    }
  }
}
