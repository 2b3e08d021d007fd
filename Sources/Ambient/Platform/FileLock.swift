// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// A lock (flock(2)) on a file, held until the value is destroyed.
///
/// If the process is killed, the lock is held until the children that inherited it end.
package struct FileLock: ~Copyable, Sendable {
  private let owner: OwnedDescriptor

  private init(_ file: FileDescriptor) { owner = OwnedDescriptor(file, isLock: true) }

  /// Unlocks the file, too: if the file were only closed, a process that was forked just now would
  /// still hold the lock.
  deinit { owner.checked?.unlock() }

  /// Whether the lock is held. Other code may have closed the descriptor, which releases the lock.
  package var isHeld: Bool { owner.condition == .own }

  /// The descriptor of the locked file.
  var file: FileDescriptor { owner.unchecked }

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
  /// The method polls, because a blocking wait would never end if the holder is a stopped process.
  ///
  /// - Parameters:
  ///   - mode: The permissions of the lock file; nil to lock only an existing file, unchanged.
  ///   - patience: The time for which the method tries again.
  ///   - tries: The least number of tries.
  package static func take(
    _ path: String, mode: UInt16? = nil, patience: Duration = .zero, tries: Int = 1
  ) throws(SystemError) -> FileLock? {
    var lock: FileLock?
    try SystemThread.wait(atMost: patience, tries: tries) { () throws(SystemError) in
      lock = try take(path, mode)
      return lock != nil
    }
    return lock
  }

  private static func take(_ path: String, _ mode: UInt16?) throws(SystemError) -> FileLock? {
    while true {
      let file: FileDescriptor =
        if let mode {
          try .lockFile(path, mode: mode)
        } else {
          try .existing(path, toWrite: true)
        }
      let lock = FileLock(file)
      guard try lock.file.lock() else { return nil }
      // The file may have been removed or replaced before the lock was taken.
      if let status = try? FileStatus(at: path), status.identity == lock.owner.identity {
        return lock
      }
      if mode == nil { return nil }
    }
  }

  /// The file's text, up to `limit` bytes; nil if it is empty, not UTF-8, or cannot be read.
  func text(limit: Int) -> String? {
    guard let bytes = try? owner.checked?.read(limit, at: 0), !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Replaces the file's text; a failed write empties the file.
  func replace(by text: String) {
    guard let file = owner.checked else { return }
    let isWritten = (try? file.write(Array(text.utf8), at: 0)) != nil
    file.truncate(to: isWritten ? text.utf8.count : 0)
  }
}
