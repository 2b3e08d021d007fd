// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// Functions for regular files: opening, size, locks, and reading and writing at an offset.
extension FileDescriptor {
  /// Opens the file for appending, and creates it if it is missing and `creates` is true.
  ///
  /// A regular file is also opened for reading, if that is allowed, because its last byte shows
  /// whether the last line is incomplete. A named pipe without a reader is an error (ENXIO).
  ///
  /// - Parameters:
  ///   - permissions: The permissions of a new file, which the process's umask does not change; nil
  ///     for those of `former`, or of the process if that is nil, too.
  ///   - former: The status of the file that was at the path before. A new file gets its owner and
  ///     group, if this process may set them.
  ///   - creates: Whether to create a missing file.
  static func appending(
    to path: String, permissions: UInt16? = nil, like former: stat? = nil, creates: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (creates ? O_CREAT : 0)
    let following = try noFollow(path)
    // A pipe is opened for writing only. If this process also opened it for reading, the pipe would
    // always have a reader, and writes would not fail after all other readers have closed it.
    let isFile = status(at: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? true
    if isFile, let file = try? appending(path, flags | following | O_RDWR, permissions, former) {
      return file
    }
    return try appending(path, flags | following | O_WRONLY, permissions, former)
  }

  private static func appending(
    _ path: String, _ flags: CInt, _ permissions: UInt16?, _ former: stat?
  ) throws(SystemError) -> FileDescriptor {
    let mode = permissions ?? former.map { UInt16($0.st_mode & 0o777) }
    if flags & O_CREAT != 0, let mode,
      let made = try? new(path, flags, mode: mode, like: former)
    {
      return made
    }
    return try opened(path, flags, mode ?? 0o644)
  }

  /// The flag O_NOFOLLOW for root, unless the path is a link of root's; zero for other users.
  ///
  /// In a folder of another user, that user can replace a log by a link to any file, and root's
  /// lines would be appended to that file.
  ///
  /// - Throws: `foreignLink` if the path is a link that belongs to another user.
  private static func noFollow(_ path: String) throws(SystemError) -> CInt {
    guard geteuid() == 0 else { return 0 }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return O_NOFOLLOW }
    guard status.st_uid == 0 else { throw .foreignLink }
    return 0
  }

  /// Gives the file the owner and the group of `other`. Only a privileged user can change the
  /// owner, but every user can change the group to one of their own groups.
  func setOwner(like other: stat) {
    guard let status, status.st_uid != other.st_uid || status.st_gid != other.st_gid else { return }
    if fchown(number, other.st_uid, other.st_gid) != 0 {
      _ = fchown(number, uid_t.max, other.st_gid)
    }
  }

  /// Opens a file to lock it, and creates it with those permissions if it is missing.
  ///
  /// A link, a pipe or a file with several hard links is an error, because another program may use
  /// the file under another path, and `FileLock.replace(by:)` writes its text into the file.
  static func lockFile(_ path: String, mode: UInt16) throws(SystemError) -> FileDescriptor {
    let file = try made(path, permissions: mode)
    if file.isAlone {
      file.setPermissions(mode)
      return file
    }
    file.close()
    throw .inTheWay
  }

  /// Makes a file that only this user may read and write; fails if the path exists.
  static func new(_ path: String) throws(SystemError) -> FileDescriptor {
    try new(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
  }

  /// Makes a file with exactly the permissions `mode`, regardless of the process's umask; fails if
  /// the path exists.
  private static func new(
    _ path: String, _ flags: CInt, mode: UInt16, like other: stat? = nil
  ) throws(SystemError) -> FileDescriptor {
    let made = try opened(path, flags | O_CREAT | O_EXCL, mode)
    if let other { made.setOwner(like: other) }
    _ = fchmod(made.number, mode_t(mode))
    return made
  }

  /// Opens the file for reading and writing; a symbolic link is an error. Creates the file if it is
  /// missing, with exactly those permissions.
  package static func made(
    _ path: String, permissions: UInt16
  ) throws(SystemError) -> FileDescriptor {
    while true {
      if let found = try nilIfMissing(existing(path, toWrite: true)) { return found }
      let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
      do throws(SystemError) {
        return try new(path, flags, mode: permissions)
      } catch {
        // Another process made the file first: try again, unless the path is not a regular file
        // but, for example, a dangling link.
        guard error == .inTheWay, (try? FileStatus(at: path))?.isFile == true else { throw error }
      }
    }
  }

  /// Opens an existing file; a symbolic link is an error.
  package static func existing(_ path: String, toWrite: Bool) throws(SystemError) -> FileDescriptor
  {
    try opened(path, (toWrite ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
  }

  /// Opens the path. All paths of the package are opened here or made by
  /// `FileSystem.makeFolders(_:)`. The descriptor has a high number, as that of an
  /// ``OwnedDescriptor``, and is none of a program's standard streams, even if these are closed.
  ///
  /// - Throws: The system's error; `busy` if the path leads to another file after each attempt.
  @inline(never)
  static func opened(
    _ path: String, _ flags: CInt, _ permissions: UInt16
  ) throws(SystemError) -> FileDescriptor {
    if let fault = SystemError.fault(of: path) { throw fault }
    for _ in 0..<3 {
      let number = ambient_moved(open(path, flags, mode_t(permissions)), ambient_least_brief())
      guard number >= 0 else { throw SystemError.latest }
      let descriptor = FileDescriptor(number: number)
      // Other code may have closed the number meanwhile, and have opened a file of its own under
      // it. That file stays open, since the number is not this package's any more. The files of
      // /dev are not compared: on Apple's systems, the status of /dev/stdout is not that of its
      // file.
      let found = descriptor.identity
      if let found, path.hasPrefix("/dev/") || found == identity(at: path) { return descriptor }
      if flags & O_EXCL != 0 { break }
    }
    throw .busy
  }

  /// The status of the file at that path; nil if there is none, or if it cannot be looked at.
  static func status(at path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// The identity of the file at that path; nil if there is none, or if it cannot be looked at.
  package static func identity(at path: String) -> Identity? { status(at: path).map(Identity.init) }

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

  /// Whether the open file is a regular file with at most one hard link.
  var isAlone: Bool {
    status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_nlink <= 1 } ?? false
  }

  /// Whether the open file is a regular file that this process's user owns, with at most one hard
  /// link.
  package var isOursAlone: Bool { isAlone && status?.st_uid == geteuid() }

  /// Sets exactly those permissions, if this user owns the file.
  func setPermissions(_ permissions: UInt16) {
    guard let status, status.st_uid == geteuid(), UInt16(status.st_mode & 0o777) != permissions
    else { return }
    _ = fchmod(number, mode_t(permissions))
  }

  /// Takes the file's exclusive lock (flock(2)). Returns false if another holder has it.
  ///
  /// - Throws: The system's error if the file cannot be locked at all, for example because the file
  ///   system has no locks. A caller must not treat this error like the result false: another
  ///   holder's lock is released at some time, but the error persists.
  package func lock() throws(SystemError) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.latest
      if error == .inUse { return false }
      if error.number != EINTR { throw error }
    }
    return true
  }

  package func unlock() { _ = flock(number, LOCK_UN) }

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
