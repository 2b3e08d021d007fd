internal import Dispatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writing what waits.
extension FileWriter {
  /// Writes what waits now, and brings it to the disk if lines are to survive the machine.
  func flush() {
    note(drain(isDurable: true))
  }

  /// Opens the path anew.
  func reopen() {
    _ = drain(isDurable: true)
    var error: SystemError?
    file.withLock { file in
      do throws(SystemError) { try file.reopen() } catch let fault { error = fault }
    }
    note(error)
  }

  func note(_ error: SystemError?) {
    buffer.withLock { $0.isFailing = error != nil }
    guard let error else {
      guard failures.isFailing, let notice = failures.noteSuccess() else { return }
      _ = notice.withUnsafeBytes { append($0, .important) }
      return
    }
    failures.noteTrouble(
      .writeFailed, "could not write: \(error). What waits is kept as long as there is room.")
  }

  /// - Parameter isDurable: Whether what is written must stand on the disk when this returns, if
  ///   lines are to survive the machine.
  func drain(isDurable: Bool) -> SystemError? {
    // Read before the lock is taken, since it calls the program's time.
    let now = rotation?.now
    let (error, outcome) = file.withLock { file -> (SystemError?, RotationOutcome?) in
      guard let ring = buffer.withLock({ $0.ring }) else { return (nil, nil) }
      let error = write(ring, to: &file, now) ?? file.synchronize(atOnce: isDurable)
      return (error, file.takeRotation())
    }
    tell(outcome)
    return error
  }

  private func write(_ ring: LineRing, to file: inout OpenFile, _ now: Date?) -> SystemError? {
    guard ring.claim() else { return nil }
    defer { ring.release() }
    let end = buffer.withLock { _ in ring.committed }
    while buffer.withLock({ _ in ring.drained }) < end {
      if let error = file.drain(ring, until: end, now) { return error }
    }
    buffer.withLock { $0.isStalled = false }
    return nil
  }

  func writeAtOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let now = rotation?.now
    let (error, outcome) = file.withLock { ($0.write(line, now), $0.takeRotation()) }
    tell(outcome)
    return error
  }

  /// Reports that the file could not be rotated, unless the last try failed, too.
  private func tell(_ outcome: RotationOutcome?) {
    switch outcome {
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
    let isKept = file.withLock { file in
      if isNeeded() { return true }
      file.close(after: end(&file))
      return false
    }
    if isKept, buffer.withLock({ $0.ring == nil }) { startBuffer() }
  }

  /// Writes what waits and gives up the buffer and the file; lines open the file from now on.
  func end() { file.withLock { $0.close(after: end(&$0)) } }

  private func end(_ file: inout OpenFile) -> SystemError? {
    let (ring, path) = buffer.withLock { buffer in
      defer { buffer.ring = nil }
      return (buffer.ring, buffer.path)
    }
    guard let ring else { return nil }
    let error = write(ring, to: &file, nil) ?? file.synchronize(atOnce: true)
    // What could not be written has the next opening.
    if error == nil { BufferFile.remove(path) }
    LiveFiles.remove(self)
    // The thread ends when it sees that there is nothing to do.
    wake.signal()
    return error
  }
}
