internal import CAmbient

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// What only files have: a place in a folder, a size, locks.
extension FileDescriptor {
  /// Opens the file for appending, making it if it is missing, with exactly those permissions if
  /// there are some; a named pipe without a reader is waited for, or an error.
  ///
  /// A file is opened to be read, too, where that is allowed: its end tells of half a line.
  static func appending(
    to path: String, permissions: UInt16? = nil, waits: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_APPEND | O_CREAT | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    var status = stat()
    // A pipe that is opened to be read has a reader.
    let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    if isFile, let file = try? appending(path, flags | O_RDWR, permissions) { return file }
    return try appending(path, flags | O_WRONLY, permissions)
  }

  private static func appending(
    _ path: String, _ flags: CInt, _ permissions: UInt16?
  ) throws(SystemError) -> FileDescriptor {
    guard let permissions else { return try opened(path, flags, 0o644) }
    if let made = try? opened(path, flags | O_EXCL, permissions) {
      // Once more, since the process's mask has taken from them.
      _ = fchmod(made.number, mode_t(permissions))
      return made
    }
    return try opened(path, flags, permissions)
  }

  /// Opens a lock's file for those who may write the file with that status, and for no others; it
  /// is made if it is missing. A link, a pipe, or a file with a second name is an error.
  static func turn(_ path: String, like status: stat) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let permissions = UInt16(status.st_mode) & 0o222
    if let made = try? opened(path, flags | O_CREAT | O_EXCL, permissions) {
      // Only a privileged user gives a file to another, but each to a group of its own.
      if fchown(made.number, status.st_uid, status.st_gid) != 0 {
        _ = fchown(made.number, uid_t.max, status.st_gid)
      }
      _ = fchmod(made.number, mode_t(permissions))
      return made
    }
    let file = try opened(path, flags, 0)
    guard file.isOneFile else {
      file.close()
      throw .isInTheWay
    }
    file.setPermissions(permissions)
    return file
  }

  /// Makes a file that must not be there yet, for this user alone.
  static func new(_ path: String) throws(SystemError) -> FileDescriptor {
    try opened(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  /// Opens the file to read and write, making it if it is missing, with those permissions whatever
  /// the process's mask.
  static func made(_ path: String, permissions: UInt16) throws(SystemError) -> FileDescriptor {
    while true {
      do throws(SystemError) { return try existing(path, toWrite: true) } catch {
        guard error.isMissing else { throw error }
      }
      do throws(SystemError) {
        let made = try new(path)
        _ = fchmod(made.number, mode_t(permissions))
        return made
      } catch {
        // Another process was faster; again, unless the name is a link that leads nowhere.
        guard error == .isInTheWay, (try? FileStatus(at: path))?.isFile == true else { throw error }
      }
    }
  }

  /// Opens what is there.
  static func existing(_ path: String, toWrite: Bool) throws(SystemError) -> FileDescriptor {
    try opened(path, (toWrite ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
  }

  private static func opened(
    _ path: String, _ flags: CInt, _ permissions: UInt16
  ) throws(SystemError) -> FileDescriptor {
    let number = open(path, flags, mode_t(permissions))
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  /// Which file has that path now; nil if there is none.
  static func identity(at path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// How many bytes the file has; nil if the system does not say.
  var size: Int? { status.map { Int($0.st_size) } }

  /// Where the last write ended; nil if the system does not say.
  var position: Int? {
    let place = lseek(number, 0, SEEK_CUR)
    return place < 0 ? nil : Int(place)
  }

  /// Whether the byte before that place is a newline, or there is none; nil if it may not be read.
  func endsLine(at place: Int) -> Bool? {
    place == 0 ? true : read(1, at: place - 1).first.map { $0 == UInt8(ascii: "\n") }
  }

  /// Whether the file has no name any more.
  var isRemoved: Bool { status.map { $0.st_nlink == 0 } ?? true }

  /// Whether it is a file of this process's user, under one name.
  var isOursAlone: Bool {
    status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_uid == geteuid() && $0.st_nlink <= 1 }
      ?? false
  }

  /// Whether it is a file, under one name or none.
  var isOneFile: Bool {
    status.map { $0.st_mode & S_IFMT == S_IFREG && $0.st_nlink <= 1 } ?? false
  }

  /// Gives a file of this user's exactly those permissions.
  func setPermissions(_ permissions: UInt16) {
    guard let status, status.st_uid == geteuid(), UInt16(status.st_mode & 0o777) != permissions
    else { return }
    _ = fchmod(number, mode_t(permissions))
  }

  /// Takes the file's lock, which it shares with nobody, if that is free.
  func lockAtOnce() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

  /// Takes the file's lock, which it shares with nobody; false if somebody else has it.
  func lock() throws(SystemError) -> Bool {
    if lockAtOnce() { return true }
    let error = SystemError.latest
    if error.isTaken { return false }
    throw error
  }

  func unlock() { _ = flock(number, LOCK_UN) }

  /// Makes this number stand for the other file, which is closed.
  func become(_ other: FileDescriptor) throws(SystemError) {
    defer { other.close() }
    if !ambient_become(number, other.number) { throw SystemError.latest }
  }

  /// Waits until what was written stands on the disk.
  func synchronize() throws(SystemError) {
    if ambient_synchronize(number) != 0 { throw SystemError.latest }
  }

  /// Takes room on the disk for so many bytes.
  func allocate(_ count: Int) throws(SystemError) {
    #if canImport(Darwin)
      // Writes nothing, so that a full disk is found later there.
      if ftruncate(number, off_t(count)) != 0 { throw SystemError.latest }
    #else
      var status: CInt
      repeat { status = posix_fallocate(number, 0, off_t(count)) } while status == EINTR
      if status != 0 { throw SystemError(number: status) }
    #endif
  }

  /// Gives up what stands behind so many bytes.
  func truncate(to size: Int) { _ = ftruncate(number, off_t(size)) }

  /// Whether the file lies on another machine.
  var isRemote: Bool { ambient_is_remote(number) }

  /// Reads at most so many bytes at that place; fewer at the end of the file.
  func read(_ count: Int, at place: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, total in
      while total < count {
        // Valid: the array has room for `count` bytes.
        let result = pread(
          number, bytes.baseAddress.map { $0 + total }, count - total, off_t(place + total))
        if result < 0, errno == EINTR { continue }
        if result <= 0 { return }
        total += result
      }
    }
  }

  /// Writes all the bytes at that place.
  func write(_ bytes: [UInt8], at place: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let result = bytes.withUnsafeBytes { bytes in
        // Valid: the memory is the array's own, for the time of the closure.
        pwrite(number, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(place + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw SystemError.latest }
      done += result
    }
  }
}
