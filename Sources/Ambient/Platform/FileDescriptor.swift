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
    if let error = write(bytes, patience: -1, isPrompt: false).error { throw error }
  }

  /// Writes the bytes: an interrupted write goes on, a full pipe is waited for as long as it takes
  /// bytes again within `patience` milliseconds, or for ever if that is negative.
  ///
  /// - Parameter isPrompt: Whether to keep a pipe from blocking that was not opened to fail when it
  ///   is full, where the system can do that.
  /// - Returns: How many bytes were written, and why not all of them.
  func write(
    _ bytes: UnsafeRawBufferPointer, patience: CInt, isPrompt: Bool
  ) -> (count: Int, error: SystemError?) {
    var rest = bytes[...]
    var prompt = isPrompt ? PromptWrite.function : nil
    var isWaiting = false
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      // Valid: `start` and `count` are the part of the caller's buffer that is still to write.
      let count =
        prompt.map { $0(number, start, rest.count) } ?? systemWrite(number, start, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        isWaiting = false
        continue
      }
      switch errno {
      case EINTR: continue
      case EOPNOTSUPP where prompt != nil, ENOSYS where prompt != nil: prompt = nil
      case EAGAIN where isWaiting && prompt != nil:
        // It says that it is ready, and is not: no pipe.
        prompt = nil
      case EAGAIN:
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&wait, 1, patience)
        if ready == 0 { return (bytes.count - rest.count, SystemError(number: EAGAIN)) }
        isWaiting = ready > 0
      case let number: return (bytes.count - rest.count, SystemError(number: number))
      }
    }
    return (bytes.count, nil)
  }
}

private func systemWrite(_ number: CInt, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  write(number, start, count)
}

/// What the system answered when it could not do something.
struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: CInt

  /// Whether there was no room, for as long as was waited.
  var isFull: Bool { number == EAGAIN }

  var description: String { String(cString: strerror(number)) }
}

/// Standard error, for what must be seen when all else fails.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    BrokenPipe.survive()
    // A closed standard error leaves nowhere to say so.
    text.withUTF8 { try? FileDescriptor.standardError.write(UnsafeRawBufferPointer($0)) }
  }
}
