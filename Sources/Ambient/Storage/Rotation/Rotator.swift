// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The rotation of one open file. The file's owner, such as `FileWriter`, has a lock, under which
/// only one thread at a time uses the rotator.
///
/// If several processes write to the file, the process that holds the rotation's lock rotates the
/// file. The owner passes the current time `now`, by the `Time` of the scope in which the log was
/// made.
struct Rotator {
  private let path: String
  private let rotation: FileRotation
  private let files: RotatedFiles
  private let calendar: RotationCalendar?
  private let compressor: RotationCompressor?
  /// The pause in real time after an attempt that failed, or that found other processes at work.
  private let pause: Duration
  /// The time for which another process's lock may postpone a rotation before a failure is
  /// reported.
  private let patience: Duration
  /// The monotonic time of the first attempt since the last success that found a lock of another
  /// process; nil if there was none.
  private var lockedSince: Duration?
  /// The period of the file, as known to this process; nil for a rotation without periods.
  private(set) var current: RotationPeriod?
  /// The period that the clock shows; set only while that period lies more than
  /// `RotationPeriod.patience` before the file's period.
  private var shown: RotationPeriod?
  /// The last second in which a check found that the period was not over. A further check in the
  /// same second is skipped, so that the time zone is looked up only once a second.
  private var quietSecond = -Double.infinity
  private var nextTry: Duration?

  /// Prepares the rotation of an open file, and finishes the work of an earlier process; nil for a
  /// device or a pipe, which a rotation must not rename.
  ///
  /// - Parameters:
  ///   - path: The absolute path; symbolic links are followed.
  ///   - mode: The permissions to assume for the log if it is missing. Users who may write to the
  ///     log may take the rotation's lock.
  ///   - source: The source named in reports of the compressor's thread.
  ///   - living: Finds the files that other logs write to. These are not archives.
  ///   - patience: The time for which another process's lock may postpone a rotation before a
  ///     failure is reported.
  init?(
    path: String, _ rotation: FileRotation, mode: UInt16, now: Date, source: String,
    living: @escaping LivingLogs = { _ in { _ in false } },
    pause: Duration = .seconds(1), patience: Duration = .seconds(30),
    compression: RotationCompressor.Settings = .init()
  ) {
    self.path = FileSystem.resolved(path)
    // The file may be missing, because another process may be rotating it just now.
    let status = try? FileStatus(at: self.path)
    guard status?.isFile ?? true else { return nil }
    self.rotation = rotation
    self.pause = pause
    self.patience = patience
    files = RotatedFiles(
      self.path, rotation.names, mode: status?.permissions ?? mode, living: living)
    calendar =
      rotation.period.map { RotationCalendar($0, rotation.zone) }
      ?? (rotation.names == .dated ? RotationCalendar(.day, rotation.zone) : nil)
    compressor =
      rotation.isCompressed
      ? RotationCompressor(files, source: source, compression) : nil
    begin(status, now)
    compressor?.startIfNeeded()
  }

  /// Finds the period of an existing file, or begins the present period for a new file.
  private mutating func begin(_ status: FileStatus?, _ now: Date) {
    // Makes the lock's file now, since the disk may be full when the first rotation needs it.
    let lock = try? files.lock()
    guard let calendar else { return }
    let last = lastPeriod(status, calendar)
    let found = last ?? calendar.period(at: now)
    current = found
    // If the lock cannot be taken, `found` is used until the next rotation reads the record.
    guard let lock else { return }
    guard let last, let known = RotationRecord.read(of: files.log, calendar.unit, from: lock) else {
      return RotationRecord.write(found, of: files.log, to: lock)
    }
    current = known
    // If the record's period lies more than `RotationPeriod.patience` after the period of the
    // file's last change, the clock was set back while an earlier process wrote the file. That
    // process left the record unchanged. `shown` gets the period of the last change, so that the
    // rotation is due once the clock has advanced to a later period (see `isOver`).
    if known.isImplausible(at: last.number) { shown = last }
  }

  /// The period of the file's last change, if the file is not empty.
  private func lastPeriod(_ status: FileStatus?, _ calendar: RotationCalendar) -> RotationPeriod? {
    guard let status, status.size > 0 else { return nil }
    return calendar.period(at: status.modified)
  }

  /// Whether the file must be rotated before another `adding` bytes are written to it.
  ///
  /// A call makes a few comparisons. While the file's period lasts, the time zone is looked up only
  /// once a second. The result is false for a second of real time (`pause`) after a rotation that
  /// did not succeed.
  mutating func isDue(size: Int, adding: Int, now: Date) -> Bool {
    guard isFull(size, adding) || isLate(now) else { return false }
    return nextTry.map { SystemClock.monotonic() >= $0 } ?? true
  }

  /// The number of bytes by which a file of `size` bytes may grow until it reaches the size limit
  /// of the rotation. The number is unlimited if the file is not rotated by size, or if the file is
  /// full and could not be rotated.
  func room(after size: Int) -> Int {
    guard let limit = rotation.size, size < limit else { return .max }
    return limit - size
  }

  private func isFull(_ size: Int, _ adding: Int) -> Bool {
    guard let limit = rotation.size, size > 0 else { return false }
    return size > limit || adding > limit - size
  }

  private mutating func isLate(_ now: Date) -> Bool {
    guard rotation.period != nil, let calendar else { return false }
    let second = now.timeIntervalSince1970.rounded(.down)
    if second == quietSecond { return false }
    if isOver(at: now, calendar) { return true }
    quietSecond = second
    return false
  }

  /// Whether the file's period is over. If the clock is more than two days behind the period,
  /// either the clock or the period is wrong. The file is then rotated when the clock next advances
  /// from one period to another.
  private mutating func isOver(at now: Date, _ calendar: RotationCalendar) -> Bool {
    guard let current else { return false }
    let number = calendar.number(at: now)
    guard current.isImplausible(at: number) else {
      shown = nil
      return current.ends(before: number)
    }
    // The clock shows a period long before the file's period. The clock is trusted as soon as it
    // has advanced to a period after `shown`.
    if let shown, shown.ends(before: number) { return true }
    if shown?.number != number { shown = calendar.period(at: now) }
    return false
  }

  /// Renames the file, removes old archives and starts compression, if the rotation is still due.
  /// If the outcome is `rotated` or `replaced`, the owner must then open the path again.
  ///
  /// - Parameters:
  ///   - file: The file that the owner has open.
  ///   - adding: The number of bytes that the owner wants to write.
  mutating func rotate(
    _ file: FileDescriptor.Identity, adding: Int, now: Date
  ) -> RotationOutcome {
    let outcome: RotationOutcome
    do throws(RotationFailure) { outcome = try tryToRotate(file, adding, now) } catch {
      outcome = .failed(error)
    }
    quietSecond = -Double.infinity
    switch outcome {
    case .failed, .postponed: nextTry = SystemClock.monotonic() + pause
    case .rotated, .replaced, .notDue: (nextTry, lockedSince) = (nil, nil)
    }
    if case .rotated = outcome { compressor?.start() }
    return outcome
  }

  private mutating func tryToRotate(
    _ file: FileDescriptor.Identity, _ adding: Int, _ now: Date
  ) throws(RotationFailure) -> RotationOutcome {
    let cannotLock = RotationFailure.cannot("lock", files.lockPath)
    guard let lock = try attempt(files.lock(), or: cannotLock) else {
      // If this process's own compressor is at work, it may hold the lock. The rotation is then
      // postponed, and no failure is reported.
      guard compressor?.isAtWork != true, hasWaited() else { return .postponed }
      throw cannotLock(.busy)
    }
    learn(from: lock)
    let status = try attempt(
      nilIfMissing(FileStatus(at: path)), or: RotationFailure.cannot("inspect", path))
    guard let status, status.isFile, status.identity == file else { return .replaced }
    let isLate = rotation.period != nil && calendar.map { isOver(at: now, $0) } ?? false
    guard status.size > 0, isLate || isFull(status.size, adding) else {
      // An empty file is not rotated. A file's period is the one in which its first line is
      // written. This file's first line is about to be written, so the file gets the present
      // period.
      if isLate { begin(now, lock) }
      return .notDue
    }
    let name = try files.putAway(path, of: period(now))
    if isLate || rotation.period == nil || shown != nil { begin(now, lock) }
    let failure = files.removeOldest(rotation, now: now)
    lock.release()
    return .rotated(to: name, failure)
  }

  /// Whether attempts have found the lock of another process for at least `patience`. The time is
  /// counted from the first such attempt after the last success.
  private mutating func hasWaited() -> Bool {
    let now = SystemClock.monotonic()
    let since = lockedSince ?? now
    lockedSince = since
    return now - since >= patience
  }

  /// The period in the archive's name: the one in which the file was begun. If the clock is far
  /// behind that period, a dated archive gets the period that the clock has shown instead, unless
  /// the last archive has a later date.
  private func period(_ now: Date) -> String {
    guard let calendar, let current else { return "" }
    let today = calendar.period(at: now)
    guard rotation.names == .dated, current.isImplausible(at: today.number) else {
      return current.name
    }
    let shown = shown ?? today
    return files.isInOrder(shown.name) ? shown.name : current.name
  }

  /// Adopts the period in the lock's file, which the process with the latest rotation has written
  /// there.
  private mutating func learn(from lock: borrowing FileLock) {
    guard let calendar,
      let known = RotationRecord.read(of: files.log, calendar.unit, from: lock), known != current
    else { return }
    current = known
    shown = nil
  }

  private mutating func begin(_ now: Date, _ lock: borrowing FileLock) {
    current = calendar?.period(at: now)
    shown = nil
    if let current { RotationRecord.write(current, of: files.log, to: lock) }
  }
}
