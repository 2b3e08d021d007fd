/// The reason why some or all lines of a log's buffer could not be moved to the log's file.
public enum BufferError: DescribedError, Hashable {
  /// The system refuses to read the buffer.
  case unreadable(path: String, reason: String)
  /// The buffer's bytes were cut or changed, or another program wrote the file.
  case damaged(path: String, reason: String)
  /// The buffer belongs to another user, or its file has a second name (a hard link).
  case foreign(path: String)
  /// The buffer's lines could not be written to the log's file.
  case unwritten(path: String, file: String, reason: String)

  /// The buffer, the reason, and advice.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read the buffer “\(path)”: \(reason)"
    case .damaged(let path, let reason):
      """
      the buffer “\(path)” is damaged: \(reason); lines may be missing from the log. Where it \
      can be renamed, they are in the file of that name with “.damaged” at its end; the last \
      \(BufferFile.mostDamaged) of these are kept
      """
    case .foreign(let path):
      """
      the buffer “\(path)” belongs to another user, or has another name, too; it was left where it \
      is: open the log as its user, or remove it
      """
    case .unwritten(let path, let file, let reason):
      "cannot bring the lines of “\(path)” to “\(file)”: \(reason); they stay where they are"
    }
  }
}

extension BufferError {
  /// Returns a function that converts a system error to the error `unreadable` for `path`.
  static func unreadable(_ path: String) -> (SystemError) -> BufferError {
    { .unreadable(path: path, reason: $0.description) }
  }
}
