// SPDX-License-Identifier: Apache-2.0

/// The reason why lines of a file's buffer could not be moved to the file, or may be missing.
public struct BufferError: DescribedError, Hashable {
  /// The kind of the failure.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// A system call for the buffer or its folder failed, a path or the permissions are invalid, or
    /// another version of Ambient has written the buffer.
    case unreadable
    /// The buffer's bytes were cut or changed, or another program wrote the file.
    case damaged
    /// The buffer belongs to another user, has a second name (hard link), or isn't a regular file.
    case foreign
    /// The buffer's lines could not be written to the file that they are for.
    case unwritten
  }

  /// The kind of the failure.
  public let code: Code
  /// The path of the buffer; for ``Code/unreadable``, perhaps that of its folder or of the file.
  public let path: String
  /// The path, the reason and, for some codes, advice.
  public let description: String

  private init(_ code: Code, _ path: String, _ text: String) {
    self.code = code
    self.path = path
    description = text.escaped
  }

  static func unreadable(path: String, reason: String) -> Self {
    Self(.unreadable, path, "cannot read the buffers at “\(path)”: \(reason)")
  }

  /// Returns a function that converts a system error to the error `unreadable` for `path`.
  static func unreadable(_ path: String) -> (SystemError) -> Self {
    { .unreadable(path: path, reason: $0.description) }
  }

  static func damaged(path: String, reason: String) -> Self {
    Self(
      .damaged, path,
      """
      the buffer “\(path)” is damaged: \(reason); lines may be missing from the log. Look for them \
      in the buffer, which gets the ending “.damaged” if possible; the latest \
      \(BufferFile.mostDamaged) such files are kept
      """)
  }

  static func foreign(path: String) -> Self {
    Self(
      .foreign, path,
      """
      the buffer “\(path)” belongs to another user, is hard-linked, or isn't a regular file; it \
      was left alone. Open the log as the buffer's owner, or remove the buffer
      """)
  }

  static func unwritten(path: String, file: String, reason: String) -> Self {
    Self(
      .unwritten, path,
      """
      cannot move the lines of “\(path)” to “\(file)”: \(reason); they stay in the buffer until \
      the log opens again
      """)
  }
}
