// SPDX-License-Identifier: Apache-2.0

/// The reason why some or all lines of a log's buffer could not be moved to the log's file.
public struct BufferError: DescribedError, Hashable {
  /// The kind of the failure.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The system refuses to read the buffer or its folder, a path is malformed, or another version
    /// of Ambient has written the buffer.
    case unreadable
    /// The buffer's bytes were cut or changed, or another program wrote the file.
    case damaged
    /// The buffer belongs to another user, has a second name (a hard link), or is no regular file.
    case foreign
    /// The buffer's lines could not be written to the log's file.
    case unwritten
  }

  /// The kind of the failure.
  public let code: Code
  /// The path of the buffer; for ``Code/unreadable``, perhaps that of its folder or of the log.
  public let path: String
  /// The buffer, the reason, and advice.
  public let description: String

  static func unreadable(path: String, reason: String) -> Self {
    Self(
      code: .unreadable, path: path, description: "cannot read the buffers at “\(path)”: \(reason)")
  }

  /// Returns a function that converts a system error to the error `unreadable` for `path`.
  static func unreadable(_ path: String) -> (SystemError) -> Self {
    { .unreadable(path: path, reason: $0.description) }
  }

  static func damaged(path: String, reason: String) -> Self {
    Self(
      code: .damaged, path: path,
      description: """
        the buffer “\(path)” is damaged: \(reason); lines may be missing from the log. Where it \
        can be renamed, they are in the file of that name with “.damaged” at its end; the last \
        \(BufferFile.mostDamaged) of these are kept
        """)
  }

  static func foreign(path: String) -> Self {
    Self(
      code: .foreign, path: path,
      description: """
        the buffer “\(path)” belongs to another user, has another name, too, or is no file; it was \
        left where it is: open the log as its user, or remove it
        """)
  }

  static func unwritten(path: String, file: String, reason: String) -> Self {
    Self(
      code: .unwritten, path: path,
      description: """
        cannot bring the lines of “\(path)” to “\(file)”: \(reason); they stay where they are
        """)
  }
}
