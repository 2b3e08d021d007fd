#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

extension FileDescriptor {
  /// What stands behind a descriptor, as far as writing to it differs.
  enum Kind: Sendable {
    /// A file, a device, or nothing.
    case file
    /// A pipe or a socket: it has a reader, who may be slow, or go away.
    case pipe
    /// A terminal.
    case terminal
  }

  var kind: Kind {
    if isatty(number) == 1 { return .terminal }
    guard let status else { return .file }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? .pipe : .file
  }

  /// Whether it is a file that has a size and a place in a folder, and no device.
  var isRegular: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// What tells a file from all others that exist now; nil if nothing is open here.
  var identity: Identity? {
    status.map(Identity.init)
  }

  /// Which file stands behind a descriptor.
  struct Identity: Hashable, Sendable {
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
