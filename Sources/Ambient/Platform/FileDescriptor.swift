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

/// An open file of the system.
struct FileDescriptor: Sendable, Hashable {
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  let number: CInt

  func close() {
    #if canImport(Glibc)
      _ = Glibc.close(number)
    #elseif canImport(Musl)
      _ = Musl.close(number)
    #else
      _ = Darwin.close(number)
    #endif
  }

  /// The same file, opened once more by this process for itself, so that a write to it fails where
  /// it would wait; nil where the system cannot do that.
  func reopenedToWriteAtOnce() -> FileDescriptor? {
    #if os(Linux)
      let path = "/proc/self/fd/\(self.number)"
      let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return number >= 0 ? FileDescriptor(number: number) : nil
    #else
      return nil
    #endif
  }

  /// Makes a write fail where it would wait, for all who have this file as it was opened here.
  func failWhereItWouldWait() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

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
  @inline(__always)
  func write(
    _ bytes: UnsafeRawBufferPointer, patience: CInt, isPrompt: Bool
  ) -> (count: Int, error: SystemError?) {
    let count = attempt(bytes, isPrompt: isPrompt)
    if count == bytes.count { return (count, nil) }
    return write(bytes, after: count, patience, isPrompt)
  }

  @inline(__always)
  private func attempt(_ bytes: UnsafeRawBufferPointer, isPrompt: Bool) -> Int {
    // Valid: the caller's buffer is read from only.
    isPrompt
      ? ambient_write_prompt(number, bytes.baseAddress, bytes.count)
      : ambient_write(number, bytes.baseAddress, bytes.count)
  }

  /// Writes what an attempt with that result left, whatever kept it.
  @inline(never)
  private func write(
    _ bytes: UnsafeRawBufferPointer, after first: Int, _ patience: CInt, _ isPrompt: Bool
  ) -> (count: Int, error: SystemError?) {
    var isPrompt = isPrompt
    var result = first
    var written = 0
    var isWaiting = false
    while true {
      if result >= 0 {
        written += result
        isWaiting = false
      } else {
        switch errno {
        case EINTR: break
        case EOPNOTSUPP where isPrompt, ENOSYS where isPrompt: isPrompt = false
        case EAGAIN where isWaiting && isPrompt:
          // It says that it is ready, and is not: no pipe.
          isPrompt = false
        case EAGAIN:
          var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
          let ready = poll(&wait, 1, patience)
          if ready == 0 { return (written, SystemError(number: EAGAIN)) }
          isWaiting = ready > 0
        case let number: return (written, SystemError(number: number))
        }
      }
      if written == bytes.count { return (written, nil) }
      result = attempt(UnsafeRawBufferPointer(rebasing: bytes[written...]), isPrompt: isPrompt)
    }
  }
}

/// What the system answered when it could not do something.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let number: CInt

  package init(number: CInt) { self.number = number }

  /// Whether there was no room, for as long as was waited.
  var isFull: Bool { number == EAGAIN }

  package var description: String { String(cString: strerror(number)) }
}

/// Standard error, for what must be seen when all else fails.
enum StandardError {
  static func write(_ text: String) {
    var text = text
    FailedWrite.surviveClosedPipe()
    // A closed standard error leaves nowhere to say so.
    text.withUTF8 { try? FileDescriptor.standardError.write(UnsafeRawBufferPointer($0)) }
  }
}
