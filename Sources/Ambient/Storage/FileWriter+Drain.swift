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
    case .taken: noteTold(lost)
    case .full: break
    case .unbuffered:
      if notice.withUnsafeBytes({ writeAtOnce($0) }) == nil { noteTold(lost) }
    }
    if wakes { wakeThread() }
  }

  private func noteTold(_ lost: Int) {
    failures.noteTold(lost)
    buffer.withLock { $0.lost = max(0, $0.lost - lost) }
  }

  /// - Parameter isDurable: Whether the lines must stand on the disk when this returns, if they are
  ///   to survive the machine.
  func drain(isDurable: Bool) -> Drain {
    // Read before the lock is taken, since it calls the program's time.
    let now = rotation?.now
    let (result, news, trouble) = file.withLock { file -> (Drain, FileNews, String?) in
      var result = Drain.nothing
      let lines = buffer.withLock { $0.lines }
      if let lines { result = write(lines, to: &file, now) }
      let trouble = lines.flatMap { keepFile(of: $0) }
      if case .failed = result { return (result, file.takeNews(), trouble) }
      if let error = file.synchronize(atOnce: isDurable) { result = .failed(error) }
      return (result, file.takeNews(), trouble)
    }
    tell(news)
    if let trouble { report(trouble) }
    return result
  }

  private func write(_ lines: LineQueue, to file: inout OpenFile, _ now: Date?) -> Drain {
    guard lines.claim() else { return .failed(.busy) }
    let result = writeAll(lines, to: &file, now)
    lines.release()
    // Only now, so that each has the room of all: to wake one for each batch costs more than it
    // takes to fill that.
    lines.noteDrain()
    return result
  }

  private func writeAll(_ lines: LineQueue, to file: inout OpenFile, _ now: Date?) -> Drain {
    // In the callers' lock, which shows the thread sanitizer whose bytes these are.
    let (end, appended) = buffer.withLock { _ in (lines.end, lines.appended) }
    if lines.start == end { return .nothing }
    if let error = file.drain(lines, until: end, now) {
      // Counted by the pass that comes to the end.
      file.damagedLines = 0
      return .failed(error)
    }
    // Exactly, where the frames tell only how many at least.
    file.damagedLines = lines.takeLoss(of: appended)
    buffer.withLock { buffer in
      buffer.isStalled = false
      lines.restartIfLong()
    }
    return .written
  }

  func writeAtOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let now = rotation?.now
    let (error, news) = file.withLock { ($0.write(line, now), $0.takeNews()) }
    tell(news)
    return error
  }

  /// Reports the file's news; a failed rotation only once until one succeeds.
  private func tell(_ news: FileNews) {
    if let trouble = news.trouble { report(trouble) }
    if news.damaged > 0 {
      failures.noteLoss(
        of: news.damaged,
        """
        \(news.damaged) lines were changed while they waited in the buffer, and are lost; see whether the disk \
        is sound, and which other processes write to that file.
        """)
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
  /// - Parameter isNeeded: Called under the file's lock, so that the last answer holds.
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
    let (lines, path) = buffer.withLock { buffer in
      defer {
        buffer.lines = nil
        buffer.isRetired = true
      }
      return (buffer.lines, buffer.path)
    }
    guard let lines else { return .nothing }
    var result = write(lines, to: &file, now)
    // The number may be another file's from now on.
    lines.direct(to: nil)
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
