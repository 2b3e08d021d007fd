#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
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
    var status = stat()
    guard fstat(number, &status) == 0 else { return .file }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? .pipe : .file
  }
}
