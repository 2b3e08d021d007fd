// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The status of a path (lstat(2)); symbolic links are not followed.
struct FileStatus: Equatable {
  let identity: FileDescriptor.Identity
  /// Whether the path is that of a regular file, not of a folder, link, pipe or device.
  let isFile: Bool
  let permissions: UInt16
  let size: Int
  let modified: Date

  init(at path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError(number: errno) }
    identity = FileDescriptor.Identity(status)
    isFile = status.st_mode & S_IFMT == S_IFREG
    permissions = UInt16(status.st_mode & 0o777)
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
  }
}
