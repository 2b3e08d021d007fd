#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

extension SystemError {
  /// Why the last call of the system's failed.
  static var latest: SystemError { SystemError(number: errno) }

  /// There is no file, and none can be opened.
  static var unopened: SystemError { SystemError(number: ENOENT) }
  /// Somebody else is at it.
  static var busy: SystemError { SystemError(number: EBUSY) }
  /// There is no room, for as long as was waited.
  static var full: SystemError { SystemError(number: EAGAIN) }
  /// The system has no such thing here.
  static var unsupported: SystemError { SystemError(number: EOPNOTSUPP) }
  /// Something has the name that is no folder.
  static var notAFolder: SystemError { SystemError(number: ENOTDIR) }

  /// Whether the opened file is of no use any more, where the path may be.
  var isStale: Bool { number == ESTALE || number == EBADF }

  /// Thrown for a file that another process has open.
  package static let isInUse = SystemError(number: EWOULDBLOCK)

  /// Whether somebody else has a lock.
  var isTaken: Bool { number == EWOULDBLOCK }

  /// Whether the disk has no room for a file of that size, or its user may not have one.
  var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

  /// Whether the user may not do that.
  var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(number) }

  /// Whether a part of the path is no folder.
  var isOfNoFolder: Bool { number == ENOTDIR || number == EEXIST }

  /// Whether the path ends at a link, which is not followed, or at what is no file.
  var isOfNoFile: Bool { [ELOOP, EISDIR, ENXIO].contains(number) }

  /// Whether the file system cannot do that: map files, take room for them, or lock them.
  ///
  /// ENOTSUP is EOPNOTSUPP on Linux, and another number on Apple's systems, which answer with both.
  var isUnsupported: Bool {
    [ENODEV, EOPNOTSUPP, ENOTSUP, ENOSYS, ENOLCK, EINVAL].contains(number)
  }
}
