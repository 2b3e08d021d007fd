/// A lock (flock(2)) on a file, held until the value is destroyed.
///
/// If the process is killed, the lock is held until the children that inherited it end.
package struct FileLock: ~Copyable, Sendable {
  let file: FileDescriptor

  private init(_ file: FileDescriptor) { self.file = file }

  deinit { file.giveUp() }

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
    while true {
      let lock = FileLock(try .lockFile(path, mode: mode))
      guard try lock.file.lock(waits: isPatient) else { return nil }
      // The file may have been removed or replaced before the lock was taken.
      if let status = try? FileStatus(at: path), status.identity == lock.file.identity {
        if let mode { lock.file.setPermissions(mode) }
        return lock
      }
      if mode == nil { return nil }
    }
  }

  /// Locks the file like `take(_:mode:isPatient:)`, but tries again until `patience` is over, and
  /// at least `tries` times, before it returns nil.
  ///
  /// The method polls, because a blocking wait would never end if the holder is a stopped process.
  package static func take(
    _ path: String, mode: UInt16? = nil, patience: Duration, tries: Int = 1
  ) throws(SystemError) -> FileLock? {
    var lock: FileLock?
    try SystemThread.wait(atMost: patience, tries: tries) { () throws(SystemError) in
      lock = try take(path, mode: mode)
      return lock != nil
    }
    return lock
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
