#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file of the system.
struct FileDescriptor: Sendable, Hashable {
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  let number: CInt

  /// Opens the file for appending, making it if it is missing.
  static func appending(to path: String) throws(SystemError) -> FileDescriptor {
    let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw SystemError(number: errno) }
    return FileDescriptor(number: number)
  }

  func close() {
    #if canImport(Glibc)
      _ = Glibc.close(number)
    #elseif canImport(Musl)
      _ = Musl.close(number)
    #else
      _ = Darwin.close(number)
    #endif
  }

  /// Writes all the bytes: an interrupted write goes on, a full pipe is waited for.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes[...]
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      // Valid: `start` and `count` are the part of the caller's buffer that is still to write.
      let count = systemWrite(number, start, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        if rest.isEmpty { return }
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case let number: throw SystemError(number: number)
      }
    }
  }
}

private func systemWrite(_ number: CInt, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  write(number, start, count)
}

/// What the system answered when it could not do something.
struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: CInt

  var description: String { String(cString: strerror(number)) }
}

/// Standard error, for what must be seen when all else fails.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    // A closed standard error leaves nowhere to say so.
    text.withUTF8 { try? FileDescriptor.standardError.write(UnsafeRawBufferPointer($0)) }
  }
}
