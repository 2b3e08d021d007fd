internal import Dispatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// Appends lines to a file: into a buffer that outlives the process, from which a thread writes
/// them in batches, or one by one.
///
/// Two locks, each held for a short time: one for the buffer, which callers take for as long as a
/// copy lasts, and one for the file, which is taken first where both are.
///
/// A replaced service is never freed, since calls may be under way on it. Its file is closed, so
/// that a program which replaces its log every hour does not run out of descriptors; a later line
/// opens the file again.
final class FileWriter: Sendable {
  private struct Buffer {
    /// Nil where lines are written one by one. Unmanaged, since retain and release would cost more
    /// than the copy of a line; retained while it is here.
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

    /// Asks the thread to write at once; whether it must be woken for that.
    mutating func hurry() -> Bool {
      guard !isFailing else { return false }
      defer { isHurried = true }
      return !isHurried
    }
  }

  private let path: String
  private let options: FileOptions
  private let rotation: Rotation?
  private let failures: Failures
  private let buffer = Guarded(Buffer())
  private let file: Guarded<OpenFile>
  /// Of rotations, which are told apart from lines.
  private let rotations: Failures
  private let wake = DispatchSemaphore(value: 0)
  private let forks = Forks.count
  /// In a fork, the writer that took the place of the parent's, whose ring is not mapped there.
  private let successor = Guarded<FileWriter?>(nil)

  /// How many bytes wait at most.
  private static let capacity = 512 * 1_024

  /// Appends to the open file, which has that absolute path.
  init(
    path: String, _ options: FileOptions, _ rotation: Rotation?, _ descriptor: FileDescriptor,
    _ failures: Failures
  ) {
    self.path = path
    self.options = options
    self.rotation = rotation
    self.failures = failures
    rotations = Failures(source: failures.source)
    let rotator = rotation?.rotator(for: path, options.permissions, source: failures.source)
    file = Guarded(OpenFile(path: path, options, descriptor, rotator))
    WriteSignals.surviveSizeLimit()
    if options.survival != .eachLine, options.firstLines == 0 { startBuffer() }
  }

  /// Whether this process has it, and not the one that this was forked from.
  @inline(__always)
  private var isOwn: Bool { forks == Forks.known }

  /// The writer of this process; nil if a fork cannot open the file.
  private var own: FileWriter? {
    if isOwn { return self }
    if let known = successor.withLock({ $0 }), known.isOwn { return known }
    guard let descriptor = try? OpenFile.open(path, options.permissions) else { return nil }
    // Line by line: a buffer needs a thread.
    var options = options
    options.survival = .eachLine
    let made = FileWriter(path: path, options, rotation, descriptor, failures)
    return successor.withLock { successor in
      if let successor, successor.isOwn { return successor }
      successor = made
      return made
    }
  }

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
      _ = Self.endsAtExit
      Self.live.withLock { $0[ObjectIdentifier(self)] = self }
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

  private func report(_ trouble: String) {
    Diagnostics.report(Diagnostic(.writeFailed, source: failures.source, trouble))
  }

  /// Makes the buffer another file if its own is gone or lost pages, which is looked at once a
  /// second; returns the report.
  private func keepFile(of lines: LineQueue) -> String? {
    let second = SystemClock.coarse()
    let path = buffer.withLock { buffer -> String? in
      // At once where pages were lost, and then as seldom as else.
      let isNews = lines.ring.isLost && !buffer.isWithoutFile
      guard isNews || buffer.latestLook != second, buffer.lines != nil else { return nil }
      buffer.latestLook = second
      return buffer.path
    }
    guard let path else { return nil }
    guard let trouble = BufferFile.trouble(of: lines, at: path), lines.claim() else {
      return LostPages.trouble()
    }
    defer { lines.release() }
    do throws(SystemError) {
      let place = bufferFile()
      let successor = try BufferFile.successor(of: path, lines.ring.capacity)
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
    guard isOwn else { return appendInFork(line, weight) }
    var wakes = false
    let outcome = buffer.withLock { buffer in Self.append(line, weight, to: &buffer, &wakes) }
    if wakes { wakeThread() }
    if case .taken = outcome { return nil }
    return append(line, weight, after: outcome)
  }

  @inline(never)
  private func appendInFork(_ line: UnsafeRawBufferPointer, _ weight: LineWeight) -> SystemError? {
    guard let own else { return .unopened }
    return own.append(line, weight)
  }

  private func countDirectLine() -> Int {
    buffer.withLock { buffer in
      guard buffer.unmanagedLines == nil, !buffer.isRetired else { return -1 }
      buffer.directLines += 1
      return buffer.directLines
    }
  }

  private enum Outcome { case taken, full, unbuffered }

  @inline(__always)
  private static func append(
    _ line: UnsafeRawBufferPointer, _ weight: LineWeight, to buffer: inout Buffer,
    _ wakes: inout Bool
  ) -> Outcome {
    guard let lines = buffer.unmanagedLines else { return .unbuffered }
    let reserve = weight == .ordinary ? capacity / 8 : 0
    // Valid: it is retained while it is there, which this lock sees to.
    let waiting = lines._withUnsafeGuaranteedRef { $0.ring.append(line, leaving: reserve) }
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

/// The thread.
extension FileWriter {
  @inline(never)
  private func wakeThread() {
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
        buffer.isIdle = !hadLines && !buffer.isHurried && lines.ring.isEmpty
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
        return buffer.lines.map { !$0.ring.isEmpty } ?? false
      }
      note(drain(isDurable: !hadLines))
    }
  }
}

/// Writing what waits.
extension FileWriter {
  /// What came of writing what waits.
  private enum Drain {
    case nothing, written
    case failed(SystemError)
  }

  /// Writes what waits now, and brings it to the disk if lines are to survive the machine.
  func flush() { own?.drainNow() }

  private func drainNow() { note(drain(isDurable: true)) }

  /// Opens the path anew: for a program that is told so by SIGHUP.
  func reopen() {
    guard let own else { return }
    own.drainNow()
    let error = own.file.withLock { file -> SystemError? in
      do throws(SystemError) { try file.reopen() } catch { return error }
      return nil
    }
    if let error { own.note(.failed(error)) }
  }

  private func note(_ drain: Drain) {
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
  private func drain(isDurable: Bool) -> Drain {
    // Read before the lock is taken, since it calls the program's time.
    let now = rotation?.now
    let (result, news, trouble) = file.withLock { file -> (Drain, OpenFile.News, String?) in
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
    let (end, appended) = buffer.withLock { _ in (lines.ring.end, lines.appended) }
    if lines.ring.start == end { return .nothing }
    if let error = file.drain(lines, until: end, now) {
      // Counted by the pass that comes to the end.
      file.news.damaged = 0
      return .failed(error)
    }
    // Exactly, where the frames tell only how many at least.
    file.news.damaged = lines.takeLoss(of: appended)
    buffer.withLock { buffer in
      buffer.isStalled = false
      lines.restartIfLong()
    }
    return .written
  }

  private func writeAtOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let now = rotation?.now
    let (error, news) = file.withLock { ($0.write(line, now), $0.takeNews()) }
    tell(news)
    return error
  }

  /// Reports the file's news; a failed rotation only once until one succeeds.
  private func tell(_ news: OpenFile.News) {
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

  /// Keeps the file and the buffer, or gives both up after writing what waits: lines open the file
  /// from then on.
  ///
  /// - Parameter isNeeded: Called under the file's lock, so that the last answer holds.
  func keep(if isNeeded: () -> Bool) {
    guard let own else { return }
    let now = rotation?.now
    own.note(
      own.file.withLock { file -> Drain in
        guard isNeeded() else { return own.end(&file, now) }
        own.buffer.withLock { buffer in
          if buffer.isRetired { buffer.directLines = 0 }
          buffer.isRetired = false
        }
        return .nothing
      })
  }

  /// Ends all that this process has of it.
  func end() {
    if isOwn { return keep { false } }
    successor.withLock { $0 }?.end()
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
    // The number may be another file's from now on; a handler of signals that uses it ends first.
    let isClaimed = lines.claim()
    lines.direct(to: nil)
    if isClaimed { lines.release() }
    if case .failed = result {
      // What could not be written has the next opening.
    } else if let error = file.synchronize(atOnce: true) {
      result = .failed(error)
    } else {
      BufferFile.remove(path)
    }
    Self.live.withLock { $0[ObjectIdentifier(self)] = nil }
    // The thread ends when it sees that there is nothing to do.
    wake.signal()
    return result
  }
}

/// The end of the program.
extension FileWriter {
  /// The writers whose lines wait in a buffer.
  private static let live = Guarded<[ObjectIdentifier: FileWriter]>([:])

  private static let endsAtExit: Void = {
    atexit {
      // A fork has its parent's list, and not its parent's buffers.
      for writer in FileWriter.live.withLock({ Array($0.values) }) where writer.isOwn {
        writer.end()
      }
    }
  }()
}
