internal import Dispatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writing what waits.
extension FileWriter {
  /// What came of writing what waits.
  enum Drain {
    case nothing, written
    case failed(SystemError)
  }

  /// Writes what waits now, and brings it to the disk if lines are to survive the machine.
  func flush() { note(drain(isDurable: true)) }

  /// Opens the path anew.
  func reopen() {
    note(drain(isDurable: true))
    let error = file.withLock { file -> SystemError? in
      do throws(SystemError) { try file.reopen() } catch { return error }
      return nil
    }
    if let error { note(.failed(error)) }
  }

  func note(_ drain: Drain) {
    switch drain {
    case .nothing: break
    case .failed(let error):
      buffer.withLock { $0.isFailing = true }
      failures.noteTrouble(
        .writeFailed, "could not write: \(error). What waits is kept as long as there is room.")
    case .written:
      buffer.withLock { $0.isFailing = false }
      guard failures.isFailing else { return }
      failures.noteSuccess()
      tellLosses()
    }
  }

  /// Says in the log itself how many lines are not there.
  private func tellLosses() {
    let lost = failures.untold
    guard lost > 0, let notice = failures.notice(of: lost) else { return }
    // Without a wait for room, which may be this thread's to make.
    var wakes = false
    let outcome = notice.withUnsafeBytes { notice in
      buffer.withLock { Self.append(notice, .important, to: &$0, &wakes) }
    }
    switch outcome {
    case .taken: failures.noteTold(lost)
    case .full: break
    case .unbuffered:
      if notice.withUnsafeBytes({ writeAtOnce($0) }) == nil { failures.noteTold(lost) }
    }
    if wakes { wakeThread() }
  }

  /// - Parameter isDurable: Whether what is written must stand on the disk when this returns, if
  ///   lines are to survive the machine.
  func drain(isDurable: Bool) -> Drain {
    // Read before the lock is taken, since it calls the program's time.
    let now = rotation?.now
    let (result, news) = file.withLock { file -> (Drain, FileNews) in
      var result = Drain.nothing
      if let ring = buffer.withLock({ $0.ring }) { result = write(ring, to: &file, now) }
      if case .failed = result { return (result, file.takeNews()) }
      if let error = file.synchronize(atOnce: isDurable) { result = .failed(error) }
      return (result, file.takeNews())
    }
    tell(news)
    return result
  }

  private func write(_ ring: LineRing, to file: inout OpenFile, _ now: Date?) -> Drain {
    guard ring.claim() else { return .failed(.busy) }
    defer { ring.release() }
    // In the callers' lock, which shows the thread sanitizer whose bytes these are.
    let (start, end) = buffer.withLock { _ in (ring.drained, ring.committed) }
    if start == end { return .nothing }
    while ring.drained < end {
      let before = ring.drained
      if let error = file.drain(ring, until: end, now) { return .failed(error) }
      // A pass that does nothing would be repeated for ever.
      if ring.drained == before { return .failed(.busy) }
    }
    buffer.withLock { buffer in
      buffer.isStalled = false
      ring.restartIfLong()
    }
    return .written
  }

  func writeAtOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let now = rotation?.now
    let (error, news) = file.withLock { ($0.write(line, now), $0.takeNews()) }
    tell(news)
    return error
  }

  /// Reports what is new of the file; that it could not be rotated unless the last try failed, too.
  private func tell(_ news: FileNews) {
    if let trouble = news.trouble {
      Diagnostics.report(Diagnostic(.writeFailed, source: failures.source, trouble))
    }
    if let oddity = news.oddity {
      Diagnostics.report(Diagnostic(.invalidSetting, source: failures.source, oddity))
    }
    switch news.rotation {
    case .failed(let failure), .rotated(_, .some(let failure)):
      rotations.noteTrouble(.rotation, "\(failure). Lines go on to the file that is there.")
    case .rotated: rotations.noteSuccess()
    case .replaced, .notDue, .postponed, nil: break
    }
  }

  /// Keeps the file and the buffer, or gives both up after writing what waits.
  ///
  /// - Parameter isNeeded: Asked while nobody else changes that, so that the last answer holds.
  func keep(if isNeeded: () -> Bool) {
    let now = rotation?.now
    let result = file.withLock { file -> Drain in
      if isNeeded() {
        buffer.withLock { buffer in
          if buffer.isRetired { buffer.directLines = 0 }
          buffer.isRetired = false
        }
        return .nothing
      }
      return end(&file, now)
    }
    note(result)
  }

  /// Writes what waits and gives up the buffer and the file; lines open the file from now on.
  func end() {
    let now = rotation?.now
    note(file.withLock { end(&$0, now) })
  }

  private func end(_ file: inout OpenFile, _ now: Date?) -> Drain {
    defer { file.close() }
    let (ring, path) = buffer.withLock { buffer in
      defer {
        buffer.ring = nil
        buffer.isRetired = true
      }
      return (buffer.ring, buffer.path)
    }
    guard let ring else { return .nothing }
    var result = write(ring, to: &file, now)
    if case .failed = result {
      // What could not be written has the next opening.
    } else if let error = file.synchronize(atOnce: true) {
      result = .failed(error)
    } else {
      BufferFile.remove(path)
    }
    LiveFiles.remove(self)
    // The thread ends when it sees that there is nothing to do.
    wake.signal()
    return result
  }
}
