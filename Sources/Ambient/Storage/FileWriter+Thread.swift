internal import Dispatch

/// The thread.
extension FileWriter {
  @inline(never)
  func wakeThread() {
    let isNew = buffer.withLock { buffer in
      defer { buffer.hasThread = true }
      return !buffer.hasThread
    }
    guard isNew else {
      _ = wake.signal()
      return
    }
    if SystemThread.startIfPossible({ self.run() }) { return }
    buffer.withLock { buffer in
      buffer.hasThread = false
      buffer.isHurried = false
    }
    // Without a thread, the caller pays for what waits.
    note(drain(isDurable: true))
  }

  /// Writes what waits each second, and at once when asked; waits without an end after a second in
  /// which nothing came.
  private func run() {
    var hadLines = true
    while true {
      let plan = buffer.withLock { buffer -> (ends: Bool, isIdle: Bool, isHurried: Bool) in
        guard let lines = buffer.lines else {
          // Reset, since a later line may make a buffer again.
          let isRetired = buffer.isRetired
          buffer = Buffer()
          buffer.isRetired = isRetired
          return (true, false, false)
        }
        buffer.isIdle = !hadLines && !buffer.isHurried && lines.isEmpty
        return (false, buffer.isIdle, buffer.isHurried)
      }
      if plan.ends { return }
      if plan.isIdle {
        // At once, since the buffer's file was not looked at meanwhile.
        wake.wait()
      } else if !plan.isHurried {
        _ = wake.wait(timeout: .now() + .seconds(1))
      }
      hadLines = buffer.withLock { buffer in
        buffer.isHurried = false
        return buffer.lines.map { !$0.isEmpty } ?? false
      }
      note(drain(isDurable: !hadLines))
    }
  }
}

extension FileWriter.Buffer {
  /// Asks the thread to write at once; whether it must be woken for that.
  mutating func hurry() -> Bool {
    guard !isFailing else { return false }
    defer { isHurried = true }
    return !isHurried
  }
}
