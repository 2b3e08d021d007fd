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
  struct Buffer {
    /// Nil where lines are written one by one. Unmanaged, for the same reason as ``AppendedFile``
    /// has; retained while it is here.
    private(set) var unmanagedLines: Unmanaged<LineQueue>?
    var path = ""
    /// Whether the thread waits without an end, since nothing waits for it.
    var isIdle = false
    /// Whether it was woken to write at once.
    var isHurried = false
    var hasThread = false
    /// How many lines were written one by one before there was a buffer.
    var directLines = 0
    /// Whether the log is needed nowhere: then it takes no buffer.
    var isRetired = false
    /// Whether the last write failed: it is tried again each second, and no more.
    var isFailing = false
    /// Whether the last wait for room was in vain.
    var isStalled = false
    /// How many lines were dropped that the log does not tell of yet; the file of the buffer has
    /// it, too.
    var lost = 0 { didSet { lines?.note(lost: lost) } }
    /// When it was last looked whether the buffer's file is there, in seconds.
    var latestLook = 0
    /// Whether it is gone, and no other can be made.
    var isWithoutFile = false

    var lines: LineQueue? {
      // Valid: it is retained while it is here.
      get { unmanagedLines?.takeUnretainedValue() }
      set {
        unmanagedLines?.release()
        unmanagedLines = newValue.map { .passRetained($0) }
      }
    }
  }

  let path: String
  let options: FileOptions
  let rotation: Rotation?
  let failures: Failures
  let buffer: Guarded<Buffer>
  let file: Guarded<OpenFile>
  /// Of rotations, which are told apart from lines.
  let rotations: Failures
  let wake = DispatchSemaphore(value: 0)
  private let forks = Forks.count

  /// How many bytes wait at most.
  static let capacity = 512 * 1_024

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
    if options.survival != .eachLine, options.firstLines == 0 { startBuffer() }
  }

  /// Whether this process has it, and not the one that this was forked from.
  @inline(__always)
  var isOwn: Bool { forks == Forks.known }

  /// Makes a buffer; lines go to the file one by one where there can be none, which is reported.
  private func startBuffer() {
    do throws(SystemError) {
      let (lines, path) = try bufferFile().make(capacity: Self.capacity)
      let isFirst = buffer.withLock { buffer in
        guard buffer.lines == nil, !buffer.isRetired else { return false }
        // The thread of the buffer before, if there is one still, goes on with this.
        let hasThread = buffer.hasThread
        buffer = Buffer()
        buffer.hasThread = hasThread
        buffer.lines = lines
        buffer.path = path
        return true
      }
      guard isFirst else { return BufferFile.remove(path) }
      file.withLock { if let descriptor = $0.descriptor { lines.direct(to: descriptor) } }
      LiveFiles.add(self)
    } catch {
      let folder = BufferFile(target: path, folder: options.bufferFolder).folder
      report(
        """
        there can be no buffer in \(folder): \(error). Lines are written one by one; \
        choose a bufferFolder.
        """)
    }
  }

  /// Where the buffer is made, in a folder that is made if it is missing.
  private func bufferFile() -> BufferFile {
    // What goes wrong is told when the buffer is made.
    if let folder = options.bufferFolder { try? FileSystem.makeFolders(folder) }
    return BufferFile(target: path, folder: options.bufferFolder)
  }

  func report(_ trouble: String) {
    Diagnostics.report(Diagnostic(.writeFailed, source: failures.source, trouble))
  }

  /// Makes the buffer another file if its own is gone or lost pages, which is looked at once a
  /// second; returns the report.
  func keepFile(of lines: LineQueue) -> String? {
    let second = SystemClock.coarse()
    let path = buffer.withLock { buffer -> String? in
      // At once where pages were lost, and then as seldom as else.
      let isNews = lines.isLost && !buffer.isWithoutFile
      guard isNews || buffer.latestLook != second, buffer.lines != nil else { return nil }
      buffer.latestLook = second
      return buffer.path
    }
    guard let path else { return nil }
    guard let trouble = lines.trouble(at: path), lines.claim() else { return LostPages.trouble() }
    defer { lines.release() }
    do throws(SystemError) {
      let place = bufferFile()
      let successor = try BufferFile.successor(of: path, lines.capacity)
      try buffer.withLock { buffer throws(SystemError) in
        try place.renew(lines, in: successor, at: path, lost: buffer.lost)
        buffer.isWithoutFile = false
      }
      return "\(trouble). Another was made."
    } catch {
      let isNew = buffer.withLock { buffer in
        defer { buffer.isWithoutFile = true }
        return !buffer.isWithoutFile
      }
      return !isNew
        ? nil
        : """
        \(trouble), and no other can be made: \(error). Lines that wait do not survive the process until \
        one can; choose a bufferFolder.
        """
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

  private func countDirectLine() -> Int {
    buffer.withLock { buffer in
      guard buffer.unmanagedLines == nil, !buffer.isRetired else { return -1 }
      buffer.directLines += 1
      return buffer.directLines
    }
  }

  enum Outcome { case taken, full, unbuffered }

  @inline(__always)
  static func append(
    _ line: UnsafeRawBufferPointer, _ weight: LineWeight, to buffer: inout Buffer,
    _ wakes: inout Bool
  ) -> Outcome {
    guard let lines = buffer.unmanagedLines else { return .unbuffered }
    let reserve = weight == .ordinary ? capacity / 8 : 0
    // Valid: it is retained while it is there, which this lock sees to.
    let waiting = lines._withUnsafeGuaranteedRef { $0.append(line, leaving: reserve) }
    guard let waiting else {
      if RingFrame.size(of: line.count) &+ reserve > capacity { return .unbuffered }
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
      if buffer.withLock({ $0.unmanagedLines != nil }) { note(drain(isDurable: false)) }
      let error = writeAtOnce(line)
      if error == nil, failures.isFailing { note(.written) }
      if options.survival != .eachLine, countDirectLine() == options.firstLines { startBuffer() }
      return error
    }
    guard case .wait(let limit) = options.whenFull, !failures.isFailing,
      !buffer.withLock({ $0.isStalled })
    else {
      buffer.withLock { $0.lost += 1 }
      return .full
    }
    return append(line, weight, within: limit)
  }

  /// Waits for room as long as that is allowed.
  private func append(
    _ line: UnsafeRawBufferPointer, _ weight: LineWeight, within limit: Duration
  ) -> SystemError? {
    let end = SystemClock.monotonic() + limit
    var now = end - limit
    while true {
      var wakes = false
      let (outcome, lines, drains) = buffer.withLock { buffer in
        // Read before the line finds no room: a drain in between ends the wait at once.
        let drains = buffer.lines?.drains ?? 0
        return (Self.append(line, weight, to: &buffer, &wakes), buffer.lines, drains)
      }
      // The thread that is asked to hurry must be told, or the next one trusts that it was.
      if wakes { wakeThread() }
      switch outcome {
      case .taken: return nil
      case .unbuffered: return writeAtOnce(line)
      case .full: break
      }
      guard now < end, !failures.isFailing else { break }
      lines?.awaitDrain(drains, atMost: end - now)
      now = SystemClock.monotonic()
    }
    // No thread waits again until something was written.
    buffer.withLock {
      $0.isStalled = true
      $0.lost += 1
    }
    return .full
  }
}
