// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient
internal import Dispatch

/// A writer that appends lines to a file. It writes them one by one, or puts them into a buffer
/// that outlives the process, from which a thread writes them in batches.
///
/// The writer has two locks. Callers hold the buffer's lock only while they copy a line. The file's
/// lock is held during writes to the file. Where both locks are needed, the file's lock is taken
/// first.
///
/// A log or analytics service that was once the process's instance is never freed, because other
/// threads may still be calling it. When the service is replaced, `keep(while:)` closes its file,
/// so that a program that replaces its log every hour does not run out of descriptors. A later line
/// opens the file again.
final class FileWriter: Sendable {
  private struct Buffer {
    /// The queue of the buffered lines; nil if lines are written one by one. It is unmanaged,
    /// because a retain and a release would cost more than the copy of a line. This property holds
    /// one reference.
    private(set) var unmanagedLines: Unmanaged<LineQueue>?
    var path = ""
    /// Whether the thread waits without a time limit, because the buffer is empty.
    var isIdle = false
    /// Whether the thread was asked to write at once.
    var isHurried = false
    var hasThread = false
    /// Whether a line was written to the file past the buffer since the thread looked last.
    var hasUnbufferedLine = false
    /// The number of lines that were written one by one before there was a buffer.
    var directLines = 0
    /// Whether the log is no longer installed in any scope or in the process. Such a log makes no
    /// buffer.
    var isRetired = false
    /// Whether the last write failed; the next try is a second later.
    var isFailing = false
    /// Whether the last wait for room in the buffer ended before there was room.
    var isStalled = false
    /// The number of lost lines for which the log contains no notice yet. The number is also stored
    /// in the buffer's file.
    var lost = 0 { didSet { lines?.note(lost: lost) } }
    /// The time, in whole seconds, of the last check of the buffer's file. The check finds out
    /// whether the file was removed, and whether some of its pages were lost.
    var latestLook = 0
    /// Whether the buffer's file is gone, and no other could be made.
    var isWithoutFile = false

    /// The text of a notice, for a number of lost lines.
    var notice: (@Sendable (Int) -> [UInt8])?

    /// Begins to buffer lines.
    mutating func begin(_ lines: LineQueue, at path: String) {
      self.lines = lines
      self.path = path
      directLines = 0
      isWithoutFile = false
      lines.note(lost: lost)
    }

    var lines: LineQueue? {
      // Valid: `unmanagedLines` holds a reference to the queue.
      get { unmanagedLines?.takeUnretainedValue() }
      set {
        unmanagedLines?.release()
        unmanagedLines = newValue.map { .passRetained($0) }
      }
    }

    /// Asks the thread to write at once, unless the last write failed; returns whether the caller
    /// must wake the thread.
    mutating func hurry() -> Bool {
      guard !isFailing else { return false }
      return isHurried.turnOn()
    }

    /// Returns whether the caller must wake the thread.
    mutating func noteUnbufferedLine() -> Bool {
      guard unmanagedLines != nil else { return false }
      hasUnbufferedLine = true
      return rouse()
    }

    /// Returns whether the caller must wake the thread, or start it.
    mutating func rouse() -> Bool {
      guard isIdle || !hasThread else { return false }
      isIdle = false
      return true
    }
  }

  private let path: String
  private let options: FileOptions
  private let rotation: ScopedRotation?
  let failures: Failures
  /// The number of lines that dead writers of the file dropped without a notice in the file.
  private let lostBefore: Int
  private let buffer = Guarded(Buffer())
  private let file: Guarded<OpenFile>
  /// Reports the failures of rotations, separately from the failures of writes in `failures`.
  private let rotations: Failures
  private let wake = DispatchSemaphore(value: 0)
  private let forks = Forks.count
  /// The writer that a fork uses instead of this one, because the parent's ring is not mapped in
  /// the fork; nil outside of forks.
  private let successor = Guarded<FileWriter?>(nil)

  /// The number of bytes that the buffer holds.
  private static let capacity = 512 * 1_024

  /// Creates a writer that appends to the open file `descriptor`, whose absolute path is `path`.
  init(
    path: String, _ options: FileOptions, _ rotation: ScopedRotation?, _ descriptor: FileDescriptor,
    _ failures: Failures, lostBefore: Int = 0
  ) {
    self.path = path
    self.options = options
    self.rotation = rotation
    self.failures = failures
    self.lostBefore = lostBefore
    rotations = Failures(source: failures.source)
    let rotator = rotation?.rotator(for: path, options.permissions, source: failures.source)
    file = Guarded(OpenFile(path: path, options, descriptor, rotator))
    WriteSignals.surviveSizeLimit()
    switch options.survival {
    case .eachLine: break
    // A file whose name ends with a digit may pass for an archive of another log. Rotations leave
    // the file alone if it has a buffer.
    case .process:
      if options.firstLines == 0 || path.last?.isNumber == true { startBuffer() }
    // With this option, even the first line must be on the disk after two seconds at most. Only the
    // buffer's thread synchronizes the file once a second, so the buffer is made at once.
    case .machine: startBuffer()
    }
  }

  /// Whether this process made the writer. False in a fork if the parent process made the writer.
  @inline(__always)
  private var isOwn: Bool { forks == Forks.known }

  /// The writer of this process; nil if a fork cannot open the file.
  private var own: FileWriter? { try? ownWriter() }

  /// Returns the writer of this process; throws if a fork cannot open the file.
  private func ownWriter() throws(SystemError) -> FileWriter {
    if isOwn { return self }
    if let known = successor.withLock({ $0 }), known.isOwn { return known }
    let descriptor = try OpenFile.open(path, options.permissions)
    // In a fork, lines are written one by one: a buffer needs a second thread, and a fork begins
    // with only one.
    var options = options
    options.survival = .eachLine
    let made = FileWriter(path: path, options, rotation, descriptor, failures)
    return successor.withLock { successor in
      if let successor, successor.isOwn { return successor }
      successor = made
      return made
    }
  }

  /// Makes a buffer. If that fails, reports the failure, and the lines are written to the file one
  /// by one.
  private func startBuffer() {
    do throws(SystemError) {
      let (lines, path) = try bufferFile().make(capacity: Self.capacity)
      let isFirst = buffer.withLock { buffer in
        guard buffer.lines == nil, !buffer.isRetired else { return false }
        // The previous buffer's thread, if it still runs, continues with the new buffer.
        buffer.begin(lines, at: path)
        return true
      }
      guard isFirst else { return BufferFile.remove(path) }
      file.withLock { file in
        guard lines.claim() else { return }
        file.direct(lines)
        lines.release()
      }
    } catch {
      let folder = BufferFile(target: path, folder: options.bufferFolder).folder
      report(Self.text(ofNoBufferIn: folder, error))
    }
  }

  /// The buffer's file; its folder is made if it is missing.
  private func bufferFile() -> BufferFile {
    // An error is ignored here. Without the folder, the caller cannot make the buffer's file
    // either, and reports that error.
    if let folder = options.bufferFolder { try? FileSystem.makeFolders(folder) }
    return BufferFile(target: path, folder: options.bufferFolder)
  }

  private func report(_ trouble: String) {
    Diagnostics.report(.writeFailed, source: failures.source, trouble)
  }

  /// Checks, once a second, whether the buffer's file was removed or lost pages; if so, gives the
  /// buffer another file. Returns a report of this; nil if there is nothing new to report.
  private func keepFile(of lines: LineQueue, beside file: borrowing OpenFile) -> String? {
    let second = SystemClock.coarse()
    let path = buffer.withLock { buffer -> String? in
      // Lost pages are handled at once when they are first noticed. If that fails, the writer tries
      // again once a second, as after other trouble.
      let isNews = lines.ring.isLost && !buffer.isWithoutFile
      guard isNews || buffer.latestLook != second, buffer.lines != nil else { return nil }
      buffer.latestLook = second
      return buffer.path
    }
    // In another root, the buffer's path leads elsewhere.
    guard let path, !file.isInOtherRoot else { return nil }
    guard let trouble = BufferFile.trouble(of: lines, at: path), lines.claim() else {
      return LostPages.trouble()
    }
    defer { lines.release() }
    do throws(SystemError) {
      let place = bufferFile()
      let successor = try MappedRing.successor(of: path, lines.ring.capacity)
      try buffer.withLock { buffer throws(SystemError) in
        try place.renew(lines, in: successor, at: path, lost: buffer.lost)
        buffer.isWithoutFile = false
      }
      return Self.text(of: trouble, nil)
    } catch {
      return buffer.withLock { $0.isWithoutFile.turnOn() } ? Self.text(of: trouble, error) : nil
    }
  }

  /// Appends the line to the buffer. Writes it to the file instead if there is no buffer, or if the
  /// line is too long for the buffer.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer, _ importance: LineImportance) {
    guard isOwn else { return writeInFork(line, importance) }
    var wakes = false
    let outcome = buffer.withLock { buffer in Self.append(line, importance, to: &buffer, &wakes) }
    if wakes { wakeThread() }
    if case .taken = outcome { return }
    write(line, importance, after: outcome)
  }

  @inline(never)
  private func writeInFork(_ line: UnsafeRawBufferPointer, _ importance: LineImportance) {
    if let own { return own.write(line, importance) }
    // The count of lost lines in the buffer is left alone, because the parent's ring is not mapped
    // here.
    failures.noteFailure(Failures.text(ofLoss: .unopened, full: Self.slowDisk))
  }

  /// Counts and reports a lost line.
  private func lose(_ error: SystemError) {
    buffer.withLock { $0.lost += 1 }
    failures.noteFailure(Failures.text(ofLoss: error, full: Self.slowDisk))
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
    _ line: UnsafeRawBufferPointer, _ importance: LineImportance, to buffer: inout Buffer,
    _ wakes: inout Bool
  ) -> Outcome {
    guard let lines = buffer.unmanagedLines else { return .unbuffered }
    let reserve = importance == .ordinary ? capacity / 8 : 0
    // Valid: the buffer holds a reference to `lines` until `unmanagedLines` is cleared. Clearing it
    // needs the buffer's lock, which the caller holds here.
    let waiting = lines._withUnsafeGuaranteedRef { $0.ring.append(line, leaving: reserve) }
    guard let waiting else {
      if RingFrame.size(of: line.count) &+ reserve > capacity { return .unbuffered }
      wakes = buffer.hurry()
      return .full
    }
    if waiting >= capacity / 2 || importance == .urgent {
      wakes = buffer.hurry()
    }
    // Also after a failed write, where `hurry` returns false: an idle thread waits without a limit.
    if buffer.rouse() { wakes = true }
    return .taken
  }

  @inline(never)
  private func write(
    _ line: UnsafeRawBufferPointer, _ importance: LineImportance, after outcome: Outcome
  ) {
    guard case .full = outcome else {
      // The buffered lines are older, so the writer tries to write them first.
      if buffer.withLock({ $0.unmanagedLines != nil }) { note(drain(isDurable: false)) }
      writeAtOnce(line)
      // The thread synchronizes the file, even if no line is buffered.
      if options.survival == .machine, buffer.withLock({ $0.noteUnbufferedLine() }) { wakeThread() }
      if options.survival != .eachLine, countDirectLine() == options.firstLines { startBuffer() }
      return
    }
    guard case .wait(let limit) = options.whenFull, !failures.isFailing,
      !buffer.withLock({ $0.isStalled })
    else { return lose(.full) }
    let end = SystemClock.monotonic().plus(limit)
    while SystemClock.monotonic() < end, !failures.isFailing {
      SystemThread.sleep(.microseconds(50))
      var wakes = false
      let outcome = buffer.withLock { buffer in
        Self.append(line, importance, to: &buffer, &wakes)
      }
      // The thread must be woken here: `hurry` has recorded that the thread was asked to write, so
      // later callers will not wake it.
      if wakes { wakeThread() }
      switch outcome {
      case .taken: return
      case .unbuffered: return writeAtOnce(line)
      case .full: break
      }
    }
    // From now on, callers drop lines without waiting for room, until the thread has written lines.
    buffer.withLock { $0.isStalled = true }
    lose(.full)
  }
}

/// The thread that writes the buffered lines.
extension FileWriter {
  @inline(never)
  private func wakeThread() {
    guard buffer.withLock({ $0.hasThread.turnOn() }) else {
      _ = wake.signal()
      return
    }
    if SystemThread.startIfPossible({ self.run() }) { return }
    buffer.withLock { buffer in
      buffer.hasThread = false
      buffer.isHurried = false
    }
    // There is no thread, so the caller writes the buffered lines itself.
    note(drain(isDurable: true))
  }

  /// Writes the buffered lines each second, and at once when asked; waits without a time limit
  /// after a second without lines.
  private func run() {
    var hadLines = true
    while true {
      let plan = buffer.withLock { buffer -> (ends: Bool, isIdle: Bool, isHurried: Bool) in
        guard let lines = buffer.lines else {
          // A later buffer starts a thread of its own.
          buffer.hasThread = false
          return (true, false, false)
        }
        buffer.isIdle =
          !hadLines && !buffer.isHurried && !buffer.hasUnbufferedLine && lines.ring.isEmpty
        return (false, buffer.isIdle, buffer.isHurried)
      }
      if plan.ends { return }
      if plan.isIdle {
        // During this wait nothing checks whether the buffer's file is still there, so the lines
        // that end the wait are written at once, and not within a second.
        wake.wait()
      } else if !plan.isHurried {
        _ = wake.wait(timeout: .now() + .seconds(1))
      }
      hadLines = buffer.withLock { buffer in
        buffer.isHurried = false
        defer { buffer.hasUnbufferedLine = false }
        return buffer.hasUnbufferedLine || buffer.lines?.ring.isEmpty == false
      }
      note(drain(isDurable: !hadLines))
    }
  }
}

/// Writing the buffered lines.
extension FileWriter {
  /// The result of writing the buffered lines.
  private enum Drain {
    case nothing
    case written(damaged: Int)
    case failed(SystemError)
  }

  /// Writes the buffered lines now, and synchronizes the file if lines are to survive a loss of
  /// power.
  func flush() { own?.drainNow() }

  private func drainNow() { note(drain(isDurable: true)) }

  /// Calls `body` while no thread writes lines to the file.
  func whileFileIsHeld(_ body: () -> Void) { file.withLock { _ in body() } }

  /// Opens the path again, for a program that gets SIGHUP after a rotation.
  func reopen() {
    let own: FileWriter
    do throws(SystemError) { own = try ownWriter() } catch {
      return failures.noteTrouble(.writeFailed, Self.text(ofFailure: error))
    }
    own.drainNow()
    let error = own.file.withLock { file -> SystemError? in
      // The file of a log that was replaced stays closed; each later line opens it for itself.
      guard file.descriptor != nil else { return nil }
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
      failures.noteTrouble(.writeFailed, Self.text(ofFailure: error))
    case .written(let damaged):
      buffer.withLock { $0.isFailing = false }
      if damaged > 0 {
        failures.noteLoss(of: damaged, Self.text(ofDamage: damaged))
      }
      guard failures.isFailing || damaged > 0 else { return }
      failures.noteSuccess()
      tellLosses()
    }
  }

  /// Sets the function that returns the text of a notice, for a number of lost lines, and writes a
  /// notice at once if earlier processes dropped lines.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    buffer.withLock { buffer in
      buffer.notice = notice
      buffer.lost += lostBefore
    }
    tellLosses()
  }

  /// Writes to the log itself how many lines were lost.
  private func tellLosses() {
    let (lost, notice) = buffer.withLock { ($0.lost, $0.notice) }
    guard lost > 0, let notice = notice?(lost) else { return }
    // The notice does not wait for room: only the log's thread makes room, and this may be that
    // thread.
    var wakes = false
    let outcome = notice.withUnsafeBytes { notice in
      buffer.withLock { buffer in
        let outcome = Self.append(notice, .important, to: &buffer, &wakes)
        if case .taken = outcome { buffer.lost -= lost }
        return outcome
      }
    }
    if wakes { wakeThread() }
    guard case .unbuffered = outcome,
      notice.withUnsafeBytes({ writeToFile($0) }) == nil
    else { return }
    buffer.withLock { $0.lost -= lost }
  }

  /// Writes the buffered lines to the file.
  ///
  /// - Parameter isDurable: Whether to wait until the lines are on the disk. Without effect unless
  ///   the log's lines survive a loss of power (`FileOptions(survives: .machine)`).
  private func drain(isDurable: Bool) -> Drain {
    // The time is read before the file's lock is taken, because reading it may call code of the
    // program.
    let now = rotation?.now
    let (result, news, trouble) = file.withLock { file -> (Drain, OpenFile.News, String?) in
      var result = Drain.nothing
      let lines = buffer.withLock { $0.lines }
      if let lines { result = write(lines, to: &file, now) }
      let trouble = lines.flatMap { keepFile(of: $0, beside: file) }
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
    defer { lines.release() }
    // The positions are read under the lock of the appending threads. This shows the thread
    // sanitizer that those threads wrote the bytes earlier.
    let (end, appended) = buffer.withLock { _ in (lines.ring.end, lines.appended) }
    if lines.ring.start == end { return .nothing }
    // The damaged lines of a drain that fails are not counted here, because the next drain that
    // succeeds counts all of them.
    if let error = file.drain(lines, until: end, now).error { return .failed(error) }
    // This number is exact, because it is from the counts of lines. The damaged frames would yield
    // only a lower bound.
    let damaged = lines.takeLoss(of: appended)
    buffer.withLock { buffer in
      buffer.isStalled = false
      buffer.lost += damaged
      lines.restartIfLong()
    }
    return .written(damaged: damaged)
  }

  /// Writes a line to the file, and notes the result.
  private func writeAtOnce(_ line: UnsafeRawBufferPointer) {
    if let error = writeToFile(line) {
      lose(error)
    } else if failures.isFailing {
      note(.written(damaged: 0))
    }
  }

  private func writeToFile(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let now = rotation?.now
    let (error, news) = file.withLock { ($0.write(line, now), $0.takeNews()) }
    tell(news)
    return error
  }

  /// Reports what happened in the file: trouble, odd settings, and rotations. A
  /// failed rotation is reported only once until a rotation succeeds.
  private func tell(_ news: OpenFile.News) {
    if let trouble = news.trouble { report(trouble) }
    if let oddity = news.oddity {
      Diagnostics.report(.invalidSetting, source: failures.source, oddity)
    }
    switch news.rotation {
    case .failed(let failure), .rotated(_, .some(let failure)):
      rotations.noteTrouble(.rotation, Self.text(of: failure))
    case .rotated: rotations.noteSuccess("rotates again")
    case .replaced, .notDue, .postponed, nil: break
    }
  }

  /// Keeps the file and the buffer open if the service has installations. Otherwise writes the
  /// buffered lines, and closes the file and the buffer, on a thread of its own, for which this
  /// call waits about a second at most, since the disk may not answer. For each later line, the
  /// writer opens the file, and closes it again.
  ///
  /// - Parameter installations: Nil if there will be none. The number is read under the buffer's
  ///   lock, because an earlier answer could be out of date once the lock is taken.
  func keep(while installations: Installations?) {
    guard isOwn else {
      own?.keep(while: installations)
      return
    }
    let isKept = buffer.withLock { buffer in
      guard let installations, installations.count > 0 else { return false }
      if buffer.isRetired { buffer.directLines = 0 }
      buffer.isRetired = false
      return true
    }
    guard !isKept else {
      if options.survival == .machine, buffer.withLock({ $0.lines == nil }) { startBuffer() }
      return
    }
    let scope = AmbientScope.capture()
    let close: @Sendable () -> Void = { [self] in scope.run { self.close(unless: installations) } }
    if SystemThread.run(atMost: Self.patienceOfEnd, close) == nil { close() }
  }

  /// The time for which the end of a log, or of all logs at the end of the program, waits for the
  /// disk and for locks. With the time for a drain without locks, it is a second.
  private static var patienceOfEnd: Duration { .milliseconds(900) }

  private func close(unless installations: Installations?) {
    let now = rotation?.now
    let (result, news) = file.withLock { file -> (Drain, OpenFile.News) in
      let (isNeeded, lines, path) = buffer.withLock { buffer in
        let isNeeded = installations.map { $0.count > 0 } ?? false
        buffer.isRetired = !isNeeded
        defer { if !isNeeded { buffer.lines = nil } }
        return (isNeeded, buffer.lines, buffer.path)
      }
      if isNeeded { return (.nothing, OpenFile.News()) }
      var result = Drain.nothing
      if let lines {
        result = write(lines, to: &file, now)
        // The thread wakes, finds no buffer, and ends.
        wake.signal()
      }
      if case .failed = result {
        // Unwritten lines stay in the buffer; the next opening recovers them.
      } else if let error = file.synchronize(atOnce: true) {
        result = .failed(error)
      } else if lines != nil {
        BufferFile.remove(path)
      }
      file.close()
      return (result, file.takeNews())
    }
    note(result)
    tell(news)
  }

  /// Closes the file and the buffer of this process.
  func end() {
    guard isOwn else {
      successor.withLock { $0 }?.end()
      return
    }
    keep(while: nil)
    Self.live.withLock { live in
      if let place = live.firstIndex(where: { $0 === self }) { live.remove(at: place) }
    }
  }
}

/// The closing of the writers at the end of the program.
extension FileWriter {
  /// The writers that did not end yet.
  private static let live = Guarded<[FileWriter]>([])

  private static let exitRequest = ExitRequest()

  /// Has the end of the program close the writer.
  func closeAtExit() {
    Self.exitRequest.make()
    _ = Self.endsAtExit
    Self.live.withLock { $0.append(self) }
  }

  private static let endsAtExit: Void = {
    atexit {
      // A fork inherits the list of its parent's writers, but not their buffers.
      guard FileWriter.exitRequest.isOwn else { return }
      // The thread that exits takes no lock itself: it may be in a signal handler that interrupted
      // a thread with one of the logs' locks.
      let isDone = SystemThread.run(atMost: FileWriter.patienceOfEnd) {
        for writer in FileWriter.live.withLock({ $0 }) where writer.isOwn {
          writer.close(unless: nil)
        }
      }
      // Lines that are left are written without a lock, unless the disk does not answer: these wait
      // for the next opening.
      let drain: @Sendable () -> Void = { ambient_drain_rings() }
      if isDone != true, SystemThread.run(atMost: .milliseconds(100), drain) == nil { drain() }
    }
  }()
}

/// The texts of reports.
extension FileWriter {
  static func text(ofNoBufferIn folder: String, _ error: SystemError) -> String {
    """
    cannot make a buffer in “\(folder)”: \(error). Lines are written one by one; choose a \
    bufferFolder.
    """
  }

  /// - Parameter error: The reason why the buffer was not replaced; nil if it was.
  static func text(of trouble: String, _ error: SystemError?) -> String {
    guard let error else { return "\(trouble). A new buffer replaces the old one." }
    return """
      \(trouble); cannot replace the buffer: \(error). A crash now loses waiting lines; choose a \
      bufferFolder.
      """
  }

  static var slowDisk: String { "the buffer is full because the disk is too slow" }

  static func text(ofFailure error: SystemError) -> String {
    "cannot write: \(error). Lines wait in the buffer while it has room."
  }

  static func text(ofDamage damaged: Int) -> String {
    """
    lost \(damaged.with("line")), damaged in the buffer. Check the disk, and which other processes \
    write to the buffer.
    """
  }

  static func text(of failure: RotationFailure) -> String {
    "\(failure). Meanwhile, the current file grows."
  }
}
