// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// A file descriptor of the system.
package struct FileDescriptor: Sendable, Hashable {
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  package let number: CInt

  package init(number: CInt) { self.number = number }

  package func close() { _ = ambient_close(number) }

  /// Opens the same file again with O_NONBLOCK, so that a write to the new descriptor fails instead
  /// of blocking. Returns nil if the file cannot be opened, and on systems other than Linux.
  ///
  /// Does not set O_NONBLOCK on this descriptor, because the flag would affect every descriptor
  /// that shares the same open file description.
  func reopenedToWriteAtOnce() -> FileDescriptor? {
    #if os(Linux)
      let path = "/proc/self/fd/\(self.number)"
      return try? FileDescriptor.opened(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0)
    #else
      return nil
    #endif
  }

  /// Writes the bytes; repeats interrupted writes.
  ///
  /// - Parameters:
  ///   - patience: How many milliseconds to wait while a full pipe accepts no byte.
  ///   - isPrompt: Whether the descriptor is that of a pipe, a socket or a terminal, to which a
  ///     write must not block. A write to a file waits for the disk.
  /// - Returns: The number of written bytes, and the error that prevented the rest.
  @inline(__always)
  func write(
    _ bytes: UnsafeRawBufferPointer, patience: CInt = 0, isPrompt: Bool = false
  ) -> (count: Int, error: SystemError?) {
    let count = attempt(bytes, isPrompt: isPrompt)
    if count == bytes.count { return (count, nil) }
    return write(bytes, after: count, patience, isPrompt)
  }

  @inline(__always)
  private func attempt(_ bytes: UnsafeRawBufferPointer, isPrompt: Bool) -> Int {
    // The calls are valid, since they only read the bytes of the buffer.
    isPrompt
      ? ambient_write_prompt(number, bytes.baseAddress, bytes.count)
      : ambient_write(number, bytes.baseAddress, bytes.count)
  }

  /// Writes the rest of the bytes after a first attempt, which returned `first`.
  @inline(never)
  private func write(
    _ bytes: UnsafeRawBufferPointer, after first: Int, _ patience: CInt, _ isPrompt: Bool
  ) -> (count: Int, error: SystemError?) {
    var result = first
    var written = 0
    // The end of the wait for room; nil while the descriptor accepts bytes.
    var end: Duration?
    while true {
      if result >= 0 {
        written += result
        end = nil
      } else {
        switch errno {
        case EINTR: break
        case EAGAIN:
          // The pipe is full. That can happen even after `poll` has reported room, because another
          // writer may have filled the pipe since then.
          let now = SystemClock.monotonic()
          let limit = end ?? now + .milliseconds(Int(patience))
          if end != nil, now >= limit { return (written, SystemError(number: EAGAIN)) }
          end = limit
          let left = CInt(max(limit - now, .zero) / .milliseconds(1))
          var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
          if poll(&wait, 1, left) == 0 { return (written, SystemError(number: EAGAIN)) }
        case let number: return (written, SystemError(number: number))
        }
      }
      if written == bytes.count { return (written, nil) }
      result = attempt(UnsafeRawBufferPointer(rebasing: bytes[written...]), isPrompt: isPrompt)
    }
  }
}
