internal import AmbientSystem
internal import CAmbient

/// Functions for regular files: opening, size, locks, and reading and writing at an offset.
extension FileDescriptor {
  /// Opens the file for appending, and creates it if it is missing.
  ///
  /// If `permissions` is not nil, a new file gets exactly these permissions. Opening a named pipe
  /// without a reader waits, or fails if `waits` is false. A regular file is also opened for
  /// reading, if that is allowed, because its last byte shows whether the last line is incomplete.
  static func appending(
    to path: String, permissions: UInt16? = nil, waits: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_APPEND | O_CREAT | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    var status = stat()
    // A pipe is opened for writing only. If this process also opened it for reading, the pipe would
    // always have a reader, and writes would not fail after all other readers have closed it.
    let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    if isFile, let file = try? appending(path, flags | O_RDWR, permissions) { return file }
    return try appending(path, flags | O_WRONLY, permissions)
  }

  private static func appending(
    _ path: String, _ flags: CInt, _ permissions: UInt16?
  ) throws(SystemError) -> FileDescriptor {
    guard let permissions else { return try opened(path, flags, 0o644) }
    if let made = try? opened(path, flags | O_EXCL, permissions) {
      // Sets the permissions again, because the process's umask may have removed some.
      _ = fchmod(made.number, mode_t(permissions))
      return made
    }
    return try opened(path, flags, permissions)
  }

  /// Opens a lock file, and creates it if it is missing.
  ///
  /// The lock file gets the owner, group and write permissions of `status`, so that only users who
  /// may write the file with that status can take the lock. A symbolic link, a pipe, or a file with
  /// several hard links is an error.
  static func lockFile(_ path: String, like status: stat) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let permissions = UInt16(status.st_mode) & 0o222
    if let made = try? opened(path, flags | O_CREAT | O_EXCL, permissions) {
      // Only a privileged user can change the file's owner, but every user can change the file's
      // group to one of their own groups.
      if fchown(made.number, status.st_uid, status.st_gid) != 0 {
        _ = fchown(made.number, uid_t.max, status.st_gid)
      }
      _ = fchmod(made.number, mode_t(permissions))
      return made
    }
    let file = try openedAlone(path, flags, 0)
    file.setPermissions(permissions)
    return file
  }

  /// Opens a file to lock it. Creates the file with the permissions `mode` if it is missing.
  ///
  /// A symbolic link is an error. If `mode` is nil, the file must exist; otherwise, a pipe or a
  /// file with several hard links is an error, too.
  static func lockFile(_ path: String, mode: UInt16?) throws(SystemError) -> FileDescriptor {
    // A link is not followed, because `FileLock.replace(by:)` could otherwise write its text into
    // any file that this user may write.
    let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    if let mode { return try openedAlone(path, flags | O_RDWR | O_CREAT, mode) }
    do throws(SystemError) { return try opened(path, flags | O_RDWR, 0) } catch {
      // Without a `mode`, the file may be a log that this user may write but not read. Such a log
      // is opened for writing only, which is enough to lock it.
      guard error.number == EACCES else { throw error }
      return try opened(path, flags | O_WRONLY, 0)
    }
  }

  /// Opens a regular file that has only one hard link. A file with several hard links is an error:
  /// another program may use it under another path, and the caller would change its contents or
  /// permissions.
  private static func openedAlone(
    _ path: String, _ flags: CInt, _ permissions: UInt16
  ) throws(SystemError) -> FileDescriptor {
    let file = try opened(path, flags, permissions)
    let isOneFile =
      file.status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_nlink <= 1 } ?? false
    if isOneFile { return file }
    file.close()
    throw .inTheWay
  }

  /// Makes a file that only this user may read and write; fails if the path exists.
  static func new(_ path: String) throws(SystemError) -> FileDescriptor {
    try opened(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  /// Opens the file for reading and writing, and creates it if it is missing.
  ///
  /// A new file has exactly those permissions, whatever the process's umask.
  package static func made(_ path: String, permissions: UInt16) throws(SystemError)
    -> FileDescriptor
  {
    while true {
      if let found = try nilIfMissing(existing(path, toWrite: true)) { return found }
      do throws(SystemError) {
        let made = try new(path)
        _ = fchmod(made.number, mode_t(permissions))
        return made
      } catch {
        // Another process made the file first: try again, unless the path is no regular file, such
        // as a dangling link.
        guard error == .inTheWay, (try? FileStatus(at: path))?.isFile == true else { throw error }
      }
    }
  }

  /// Opens an existing file; a symbolic link is an error.
  package static func existing(_ path: String, toWrite: Bool) throws(SystemError) -> FileDescriptor
  {
    try opened(path, (toWrite ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
  }

  private static func opened(
    _ path: String, _ flags: CInt, _ permissions: UInt16
  ) throws(SystemError) -> FileDescriptor {
    let number = open(path, flags, mode_t(permissions))
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  /// Whether nothing is at that path; false if the path cannot be looked at.
  static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && SystemError.latest.isMissing
  }

  /// The identity of the file at that path; nil if there is none, or if it cannot be looked at.
  static func identity(at path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// The file's size in bytes; nil if it cannot be read.
  package var size: Int? { status.map { Int($0.st_size) } }

  /// The file offset after the last write; nil if the descriptor has no offset, as for a pipe.
  var position: Int? {
    let place = lseek(number, 0, SEEK_CUR)
    return place < 0 ? nil : Int(place)
  }

  /// Whether the byte before that offset is a newline, or the offset is zero; nil if the byte
  /// cannot be read.
  ///
  /// This is called in forks, so it uses no array: the first use of an array takes a lock of the
  /// Swift runtime. If another thread held that lock at the fork, the lock would stay locked in the
  /// child.
  func endsLine(at place: Int) -> Bool? {
    guard place > 0 else { return true }
    var byte = UInt8(0)
    var count = 0
    // Valid: the variable has room for one byte.
    repeat { count = pread(number, &byte, 1, off_t(place - 1)) } while count < 0 && errno == EINTR
    return count == 1 ? byte == UInt8(ascii: "\n") : nil
  }

  /// Whether the open file has been removed from its folder.
  package var isRemoved: Bool { status.map { $0.st_nlink == 0 } ?? true }

  /// Whether the open file is a regular file that this process's user owns, with at most one hard
  /// link.
  package var isOursAlone: Bool {
    status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_uid == geteuid() && $0.st_nlink <= 1 }
      ?? false
  }

  /// Sets exactly those permissions, if this user owns the file.
  func setPermissions(_ permissions: UInt16) {
    guard let status, status.st_uid == geteuid(), UInt16(status.st_mode & 0o777) != permissions
    else { return }
    _ = fchmod(number, mode_t(permissions))
  }

  /// Takes the file's exclusive lock (flock(2)). If another holder has it, waits without a limit if
  /// `waits` is true, and otherwise returns false.
  ///
  /// - Throws: The system's error if the file cannot be locked at all, for example because the file
  ///   system has no locks. A caller must not treat this error like the result false: another
  ///   holder's lock is released at some time, but the error persists.
  package func lock(waits: Bool = false) throws(SystemError) -> Bool {
    while flock(number, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      let error = SystemError.latest
      if error == .inUse { return false }
      if error.number != EINTR { throw error }
    }
    return true
  }

  package func unlock() { _ = flock(number, LOCK_UN) }

  /// Makes forked processes close the file. Otherwise a forked process would hold the file's lock
  /// even after this process is killed. Call this before the lock is taken; ``giveUp()`` undoes it.
  package func closeInForks() { ambient_lock_enlist(number) }

  /// Unlocks the file and closes it. Closing it alone would not release the lock while a process
  /// that was forked just now has the file open, too.
  package func giveUp() {
    ambient_lock_strike(number)
    unlock()
    close()
  }

  /// Makes this descriptor refer to the file of `other`, and closes `other`. On failure, `other`
  /// stays open.
  func become(_ other: FileDescriptor) throws(SystemError) {
    if !ambient_become(number, other.number) { throw SystemError.latest }
    ambient_lock_strike(other.number)
    other.close()
  }

  /// Waits until the written bytes are on the disk.
  package func synchronize() throws(SystemError) {
    if ambient_synchronize(number) != 0 { throw SystemError.latest }
  }

  /// Reserves disk space for `count` bytes.
  package func allocate(_ count: Int) throws(SystemError) {
    if ambient_allocate(number, Int64(count)) != 0 { throw SystemError.latest }
  }

  /// The file's size in bytes.
  ///
  /// - Throws: The system's error if `size` is nil. A caller that took an unknown size for zero
  ///   would treat the file as empty, and overwrite its contents.
  package var checkedSize: Int {
    get throws(SystemError) {
      guard let size else { throw .latest }
      return size
    }
  }

  /// Truncates the file to `size` bytes; an error is ignored.
  package func truncate(to size: Int) { _ = ftruncate(number, off_t(size)) }

  /// Whether the file is on a network file system, or on FUSE, which does not always share a
  /// mapping between processes.
  package var isRemote: Bool { ambient_is_remote(number) }

  /// Reads `count` bytes at that offset; fewer at the end of the file.
  ///
  /// - Throws: The system's error if a byte cannot be read. A caller that took an unreadable byte
  ///   for the end of the file would overwrite or remove the bytes from there on.
  package func read(_ count: Int, at place: Int) throws(SystemError) -> [UInt8] {
    var failure: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, total in
      while total < count {
        // Valid: the array has room for `count` bytes.
        let result = pread(
          number, bytes.baseAddress.map { $0 + total }, count - total, off_t(place + total))
        if result < 0, errno == EINTR { continue }
        if result < 0 { failure = errno }
        if result <= 0 { return }
        total += result
      }
    }
    guard failure == 0 else { throw SystemError(number: failure) }
    return bytes
  }

  /// Writes all the bytes to the file, from the offset `place` on.
  package func write(_ bytes: [UInt8], at place: Int) throws(SystemError) {
    // Valid: the pointer is used only within the closure.
    let error = bytes.withUnsafeBytes { bytes -> SystemError? in
      do throws(SystemError) { try write(bytes, at: place) } catch { return error }
      return nil
    }
    if let error { throw error }
  }

  /// Writes all the bytes to the file, from the offset `place` on.
  func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let result = pwrite(
        number, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(place + done))
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw SystemError.latest }
      done += result
    }
  }
}
