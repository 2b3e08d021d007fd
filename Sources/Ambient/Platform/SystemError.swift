internal import AmbientSystem

/// A failed system call's errno.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let number: CInt

  package init(number: CInt) { self.number = number }

  package var description: String { String(cString: strerror(number)) }
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
  /// Another thread or process holds the file's lock, or is writing the buffered lines.
  static var busy: SystemError { SystemError(number: EBUSY) }
  /// There was no room within the time limit of the write.
  static var full: SystemError { SystemError(number: EAGAIN) }
  /// The folder cannot hold a buffer's file, for example because it is on a network file system.
  static var unsupported: SystemError { SystemError(number: EOPNOTSUPP) }
  /// A part of the path exists, but is not a folder.
  static var notAFolder: SystemError { SystemError(number: ENOTDIR) }

  /// Whether a write failed because there was no room within its time limit.
  var isFull: Bool { number == EAGAIN }

  /// Whether the descriptor no longer reaches its file, while the path may still be valid.
  var isStale: Bool { number == ESTALE || number == EBADF }

  /// Another process has the file open, or another holder has its lock.
  package static let inUse = SystemError(number: EWOULDBLOCK)

  /// Something else exists at the path.
  static let inTheWay = SystemError(number: EEXIST)

  /// Whether the path does not exist, or has a file where one of its folders should be.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether the write failed because its bytes are on a page of a mapped file, and that file no
  /// longer has the page.
  var isLostPage: Bool { number == EFAULT }

  /// Whether the disk is full, the user's quota is used up, or the file has reached the size limit.
  package var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

  /// Whether permissions or a read-only file system forbid the call.
  package var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(number) }

  /// Whether a part of the path is not a folder. EEXIST is included, because mkdir(2) fails with it
  /// if the path is a dangling link.
  package var isOfNoFolder: Bool { number == ENOTDIR || number == EEXIST }

  /// Whether the path ends at a link, which is not followed, or at something other than a file.
  package var isOfNoFile: Bool { [ELOOP, EISDIR, ENXIO].contains(number) }

  /// Whether the file system cannot map files, reserve room, or lock.
  ///
  /// ENOTSUP equals EOPNOTSUPP on Linux, but not on Apple's systems, which return either.
  package var isUnsupported: Bool {
    [ENODEV, EOPNOTSUPP, ENOTSUP, ENOSYS, ENOLCK, EINVAL].contains(number)
  }
}
