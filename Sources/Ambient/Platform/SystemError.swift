// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// A failed system call's errno, or a number below zero if the package refuses a path.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let number: CInt

  package init(number: CInt) { self.number = number }

  package var description: String {
    switch self {
    case .unexpandedPath:
      """
      only a shell expands “~”, “$HOME” and the like; use a full path, such as \
      one in NSHomeDirectory(), or begin with “./” for a folder of that name
      """
    case .urlPath: "it is a URL; use its path, such as url.path"
    case .pathWithNull: "the path contains a zero byte; remove it"
    case .foreignLink:
      "it is another user's symbolic link, which root does not follow; remove it, or give it to root"
    case .streamPath:
      "it leads to a stream that cannot be opened; use StdoutLog() or StderrLog()"
    case .noReader: "the named pipe has no reader; start the reader first"
    case .otherLog:
      "another log writes to it; rename that log, or rotate this one with names: .dated"
    case .otherRoot:
      "the program has called chroot(2); open the log at its path in the new root"
    default: String(cString: strerror(number))
    }
  }
}

/// Evaluates `body`. If that throws, throws the error that `failure` makes of the system's error.
package func attempt<Value: ~Copyable, Failure: Error>(
  _ body: @autoclosure () throws(SystemError) -> Value, or failure: (SystemError) -> Failure
) throws(Failure) -> Value {
  do throws(SystemError) { return try body() } catch { throw failure(error) }
}

/// Evaluates `body`. Returns nil if that throws the error of a missing path.
func nilIfMissing<Value: ~Copyable>(
  _ body: @autoclosure () throws(SystemError) -> Value
) throws(SystemError) -> Value? {
  do throws(SystemError) { return try body() } catch {
    if error.isMissing { return nil }
    throw error
  }
}

extension SystemError {
  /// The error of the last failed system call (errno).
  static var latest: SystemError { SystemError(number: errno) }

  /// No file is open, and none could be opened.
  static var unopened: SystemError { SystemError(number: ENOENT) }
  /// The descriptor is closed.
  static var closed: SystemError { SystemError(number: EBADF) }
  /// Another thread or process holds the file's lock, or is writing the buffered lines.
  static var busy: SystemError { SystemError(number: EBUSY) }
  /// There was no room within the time limit of the write.
  static var full: SystemError { SystemError(number: EAGAIN) }
  /// The folder cannot hold a buffer's file, for example because it is on a network file system.
  static var unsupported: SystemError { SystemError(number: EOPNOTSUPP) }
  /// A part of the path exists, but is not a folder.
  static var notAFolder: SystemError { SystemError(number: ENOTDIR) }

  /// The path begins with a word that only a shell expands.
  static let unexpandedPath = SystemError(number: -1)
  /// The path is a `file:` URL.
  static let urlPath = SystemError(number: -2)
  /// The path contains a zero byte, at which the system would cut it.
  static let pathWithNull = SystemError(number: -3)
  /// The path is a symbolic link that belongs to another user, and this process is root.
  static let foreignLink = SystemError(number: -4)
  /// The path leads to an open socket of this process.
  static let streamPath = SystemError(number: -5)

  /// The process has another root folder than when the file was opened.
  static let otherRoot = SystemError(number: -6)

  /// A named pipe has no reader.
  static let noReader = SystemError(number: -7)

  /// Another log writes to the file.
  static let otherLog = SystemError(number: -8)

  /// The reason why the package does not pass the path to the system; nil if there is none.
  @inline(never)
  static func fault(of path: String) -> SystemError? {
    if path.utf8.contains(0) { return .pathWithNull }
    if path.hasPrefix("file:") { return .urlPath }
    // A relative path of these names is not refused if it is written with “./”.
    if path == "~" || path.hasPrefix("~/") || path.hasPrefix("$") { return .unexpandedPath }
    return nil
  }

  /// Whether a write failed because there was no room within its time limit.
  var isFull: Bool { number == EAGAIN }

  /// Another process has the file open, or another holder has its lock.
  package static let inUse = SystemError(number: EWOULDBLOCK)

  /// Something else exists at the path.
  static let inTheWay = SystemError(number: EEXIST)

  /// Whether the path does not exist, or has a file where one of its folders should be.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether the write failed because its bytes are on a page of a mapped file, and that file no
  /// longer has the page.
  var isLostPage: Bool { number == EFAULT }

  /// Whether the path ends at a link, which is not followed, or at something other than a file.
  package var isOfNoFile: Bool { [ELOOP, EISDIR, ENXIO].contains(number) }
}
