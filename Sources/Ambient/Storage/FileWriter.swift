internal import Dispatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Appends lines to a file: into a buffer that outlives the process, from which a thread writes
/// them in batches, or one by one.
///
/// Two locks, each held for a short time: one for the buffer, which callers take for as long as a
/// copy lasts, and one for the file, which is taken first where both are.
final class FileWriter: Sendable {
  fileprivate struct Buffer {
    /// Nil where lines are written one by one.
    var ring: LineRing?
    var path = ""
    /// Whether the thread waits without an end, since nothing waits for it.
    var isIdle = false
    /// Whether it was woken to write at once.
    var isHurried = false
    var hasThread = false
    /// Whether the last write failed: it is tried again each second, and no more.
    var isFailing = false
    /// Whether the last wait for room was in vain.
    var isStalled = false
  }

  private let path: String
  private let options: FileOptions
  private let rotation: Rotation?
  private let failures: Failures
  private let buffer: Guarded<Buffer>
  private let file: Guarded<OpenFile>
  /// Of rotations, which are told apart from lines.
  private let rotations: Failures
  private let wake = DispatchSemaphore(value: 0)
  private let forks = Forks.count

  /// How many bytes wait at most.
  static let capacity = 256 * 1_024

  init(
    path: String, _ options: FileOptions, _ rotation: Rotation?, _ descriptor: FileDescriptor,
    _ failures: Failures
  ) {
    self.path = path
    self.options = options
    self.rotation = rotation
    self.failures = failures
    rotations = Failures(source: failures.source)
    buffer = Guarded(Buffer())
    let rotator = rotation?.rotator(for: path, options, source: failures.source)
    file = Guarded(OpenFile(path: path, options, descriptor, rotator))
    FailedWrite.surviveSizeLimit()
    startBuffer()
  }

  /// Whether this process has it, and not the one that this was forked from.
  @inline(__always)
  var isOwn: Bool { forks == Forks.count }

  /// Makes a buffer; lines go to the file one by one where there can be none, which is reported.
  private func startBuffer() {
    guard options.survival != .eachLine else { return }
    let place = BufferFile(target: path, folder: options.bufferFolder)
    do throws(SystemError) {
      let (ring, path) = try place.make(capacity: Self.capacity)
      buffer.withLock {
        $0.ring = ring
        $0.path = path
      }
      file.withLock { if let descriptor = $0.descriptor { ring.enlist(descriptor) } }
      LiveFiles.add(self)
    } catch {
      failures.noteTrouble(
        .writeFailed,
        "lines are written one by one, since there can be no buffer in \(place.folder): \(error).")
    }
  }

  /// Appends the line to the buffer, or to the file.
  @inline(__always)
  func append(_ line: UnsafeRawBufferPointer, _ weight: LineWeight) -> SystemError? {
    var wakes = false
    let outcome = buffer.withLock { buffer in Self.append(line, weight, to: &buffer, &wakes) }
    if wakes { wakeThread() }
    if case .taken = outcome { return nil }
    return append(line, weight, after: outcome)
  }

  private enum Outcome { case taken, full, unbuffered }

  @inline(__always)
  private static func append(
    _ line: UnsafeRawBufferPointer, _ weight: LineWeight, to buffer: inout Buffer,
    _ wakes: inout Bool
  ) -> Outcome {
    guard let ring = buffer.ring else { return .unbuffered }
    let reserve = weight == .ordinary ? capacity / 8 : 0
    guard let waiting = ring.append(line, leaving: reserve) else {
      if line.count &+ reserve > capacity { return .unbuffered }
      wakes = buffer.hurry()
      return .full
    }
    if waiting >= capacity / 2 || weight == .urgent {
      wakes = buffer.hurry()
    } else if buffer.isIdle || !buffer.hasThread {
      buffer.isIdle = false
      wakes = true
    }
    return .taken
  }

  @inline(never)
  private func append(
    _ line: UnsafeRawBufferPointer, _ weight: LineWeight, after outcome: Outcome
  ) -> SystemError? {
    guard case .full = outcome else {
      // What waits comes before it, if it can.
      _ = drain(isDurable: false)
      let error = writeAtOnce(line)
      if error == nil, failures.isFailing { note(nil) }
      return error
    }
    guard case .wait(let limit) = options.whenFull, !failures.isFailing,
      !buffer.withLock({ $0.isStalled })
    else { return .full }
    let end = SystemClock.monotonic() + limit
    var wakes = false
    repeat {
      SystemThread.sleep(.microseconds(50))
      switch buffer.withLock({ Self.append(line, weight, to: &$0, &wakes) }) {
      case .taken:
        if wakes { wakeThread() }
        return nil
      case .unbuffered: return writeAtOnce(line)
      case .full: break
      }
    } while SystemClock.monotonic() < end
    // Nobody waits again until something was written.
    buffer.withLock { $0.isStalled = true }
    return .full
  }
}

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

  private func note(_ error: SystemError?) {
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
  private func drain(isDurable: Bool) -> SystemError? {
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

  private func writeAtOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
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

/// The thread.
extension FileWriter {
  @inline(never)
  private func wakeThread() {
    let isNew = buffer.withLock { buffer in
      defer { buffer.hasThread = true }
      return !buffer.hasThread
    }
    if isNew { SystemThread.start { self.run() } } else { wake.signal() }
  }

  /// Writes what waits each second, and at once when asked; waits without an end after a second in
  /// which nothing came.
  private func run() {
    var hadLines = true
    while true {
      let plan = buffer.withLock { buffer -> (ends: Bool, isIdle: Bool, isHurried: Bool) in
        guard let ring = buffer.ring else {
          buffer.hasThread = false
          return (true, false, false)
        }
        buffer.isIdle = !hadLines && !buffer.isHurried && ring.isEmpty
        return (false, buffer.isIdle, buffer.isHurried)
      }
      if plan.ends { return }
      if plan.isIdle {
        wake.wait()
        hadLines = true
        continue
      }
      if !plan.isHurried { _ = wake.wait(timeout: .now() + .seconds(1)) }
      hadLines = buffer.withLock { buffer in
        buffer.isHurried = false
        return buffer.ring.map { !$0.isEmpty } ?? false
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
