internal import AmbientSystem
internal import CAmbient

/// A file descriptor of the system.
package struct FileDescriptor: Sendable, Hashable {
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  let number: CInt

  package func close() {
    #if canImport(Glibc)
      _ = Glibc.close(number)
    #elseif canImport(Musl)
      _ = Musl.close(number)
    #else
      _ = Darwin.close(number)
    #endif
  }

  /// Opens the same file again with O_NONBLOCK, so that a write to the new descriptor fails instead
  /// of blocking. Returns nil if the file cannot be opened, and on systems other than Linux.
  ///
  /// Does not set O_NONBLOCK on this descriptor, because the flag would affect every descriptor
  /// that shares the same open file description.
  func reopenedToWriteAtOnce() -> FileDescriptor? {
    #if os(Linux)
      let path = "/proc/self/fd/\(self.number)"
      let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return number >= 0 ? FileDescriptor(number: number) : nil
    #else
      return nil
    #endif
  }

  /// Sets O_NONBLOCK, so that a write fails instead of blocking. The flag affects every descriptor
  /// that shares the same open file description.
  func failWhereItWouldWait() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  /// Writes all the bytes; repeats interrupted writes, and waits while a pipe is full.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if let error = write(bytes, patience: -1, isPrompt: false).error { throw error }
  }

  /// Writes the bytes; repeats interrupted writes, and waits while a pipe is full.
  ///
  /// - Parameters:
  ///   - patience: How many milliseconds to wait while a full pipe accepts no byte; negative to
  ///     wait for ever.
  ///   - isPrompt: Whether a write to a pipe must not block, although the pipe was opened without
  ///     O_NONBLOCK. Ignored if the system has no such writes.
  /// - Returns: The number of written bytes, and the error that prevented the rest.
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
    var isPrompt = isPrompt
    var result = first
    var written = 0
    var hasRoom = false
    // The end of the wait for room; nil while the descriptor accepts bytes.
    var end: Duration?
    while true {
      if result >= 0 {
        written += result
        hasRoom = false
        end = nil
      } else {
        switch errno {
        case EINTR: break
        case EOPNOTSUPP where isPrompt, ENOSYS where isPrompt: isPrompt = false
        case EAGAIN where hasRoom && isPrompt && kind != .pipe:
          // `poll` has reported room, but the non-blocking write has failed again, as it may if the
          // descriptor is not a pipe. The next write is allowed to block.
          isPrompt = false
        case EAGAIN:
          // The pipe is full. That can happen even after `poll` has reported room, because another
          // writer may have filled the pipe since then.
          let now = SystemClock.monotonic()
          let limit = end ?? now + .milliseconds(Int(patience))
          if end != nil, patience >= 0, now >= limit {
            return (written, SystemError(number: EAGAIN))
          }
          end = limit
          let left = CInt(max(limit - now, .zero) / .milliseconds(1))
          var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
          let ready = poll(&wait, 1, patience < 0 ? -1 : left)
          if ready == 0 { return (written, SystemError(number: EAGAIN)) }
          // If a signal interrupts `poll`, the call returns −1 and does not tell whether there is
          // room.
          hasRoom = ready > 0
        case let number: return (written, SystemError(number: number))
        }
      }
      if written == bytes.count { return (written, nil) }
      result = attempt(UnsafeRawBufferPointer(rebasing: bytes[written...]), isPrompt: isPrompt)
    }
  }
}
