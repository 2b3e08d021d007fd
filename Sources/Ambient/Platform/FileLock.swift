#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// A lock (flock(2)) on a file, held until the value is destroyed.
///
/// If the process is killed, the lock is held until the children that inherited it end.
package struct FileLock: ~Copyable, Sendable {
  let file: FileDescriptor

  private init(_ file: FileDescriptor) { self.file = file }

  deinit { Self.unlock(file) }

  private static func unlock(_ file: FileDescriptor) {
    // Closing the file would not release the lock while a process that was forked just now has the
    // file open, too. The file is therefore unlocked first.
    _ = flock(file.number, LOCK_UN)
    file.close()
  }

  /// Releases the lock. Without this call, the compiler may release the lock earlier, after the
  /// last use of this value.
  package consuming func release() {}

  /// The permissions of the lock file for a file with `permissions`. Users who may write the file
  /// may read and write its lock file.
  ///
  /// Other users get no permissions, because a user who can open a lock file can hold the lock.
  static func mode(for permissions: UInt16) -> UInt16 {
    let writers = permissions & 0o222
    return writers | writers << 1
  }

  /// Locks the file. Creates the file if it is missing and `mode` is given.
  ///
  /// Returns nil if another holder has the lock, or if `mode` is nil and the file was removed or
  /// replaced meanwhile. Throws an error for a folder. If `mode` is given, also throws an error for
  /// a pipe, and for a file with several hard links.
  ///
  /// - Parameters:
  ///   - mode: The permissions of the lock file; nil to lock only an existing file, unchanged.
  ///   - isPatient: Whether to wait until another holder releases the lock.
  static func take(
    _ path: String, mode: UInt16? = nil, isPatient: Bool = false
  ) throws(SystemError) -> FileLock? {
    // O_NOFOLLOW is set, because `replace(by:)` could otherwise write its text through a symbolic
    // link into any file that this user may write.
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    while true {
      let lock = try FileLock(opening: path, flags | (mode == nil ? 0 : O_CREAT), mode ?? 0)
      while flock(lock.file.number, LOCK_EX | (isPatient ? 0 : LOCK_NB)) != 0 {
        if errno == EWOULDBLOCK { return nil }
        if errno != EINTR { throw SystemError(number: errno) }
      }
      // The file may have been removed or replaced before the lock was taken.
      if let status = try? FileStatus(at: path), status.identity == lock.file.identity {
        if let mode { lock.file.setPermissions(mode) }
        return lock
      }
      if mode == nil { return nil }
    }
  }

  /// Locks the file, creating it if it is missing. Returns nil if other holders have the lock until
  /// `patience` is over.
  ///
  /// The method polls, because a blocking wait would never end if the holder is a stopped process.
  package static func take(
    _ path: String, mode: UInt16, patience: Duration
  ) throws(SystemError) -> FileLock? {
    let end = SystemClock.monotonic().plus(patience)
    while true {
      if let lock = try take(path, mode: mode) { return lock }
      if SystemClock.monotonic() >= end { return nil }
      usleep(1_000)
    }
  }

  private init(opening path: String, _ flags: CInt, _ mode: UInt16) throws(SystemError) {
    var number = open(path, flags, mode_t(mode))
    if number < 0, errno == EACCES, flags & O_CREAT == 0 {
      // A log that its writers may write but not read is opened for writing only.
      number = open(path, flags & ~O_RDWR | O_WRONLY, 0)
    }
    guard number >= 0 else { throw SystemError(number: errno) }
    let file = FileDescriptor(number: number)
    // A file with several hard links also has another path, and may hold other data there.
    // `replace(by:)` must not overwrite such a file.
    if flags & O_CREAT != 0, !file.isOneFile {
      file.close()
      throw .inTheWay
    }
    self.file = file
  }

  /// The file's text, up to `limit` bytes; nil if it is empty, not UTF-8, or cannot be read.
  func text(limit: Int) -> String? {
    guard let bytes = try? file.read(limit, at: 0), !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Replaces the file's text; a failed write empties the file.
  func replace(by text: String) {
    let isWritten = (try? file.write(Array(text.utf8), at: 0)) != nil
    file.truncate(to: isWritten ? text.utf8.count : 0)
  }
}
