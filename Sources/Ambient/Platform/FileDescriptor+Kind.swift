// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension FileDescriptor {
  /// The kinds of open files, which need different ways of writing.
  enum Kind: Sendable {
    /// A file, a device, or a closed descriptor.
    case file
    /// A pipe or a socket, whose reader may be slow, or gone.
    case pipe
    /// A terminal.
    case terminal
  }

  var kind: Kind {
    if isatty(number) == 1 { return .terminal }
    guard let status else { return .file }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? .pipe : .file
  }

  /// Whether the descriptor refers to a regular file, not to a device or a pipe.
  var isRegular: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// The file's device and inode, which no other existing file has; nil if the descriptor is
  /// closed.
  var identity: Identity? {
    status.map(Identity.init)
  }

  /// A file's device and inode.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let file: UInt64
  }

  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}

extension FileDescriptor.Identity {
  init(_ status: stat) {
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      file: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
