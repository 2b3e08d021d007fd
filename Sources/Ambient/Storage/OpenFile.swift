// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// The open file at a path. If this or another program rotates the file, or if the file is removed,
/// with or without its folder, later lines go to the new file at the path.
///
/// Only one thread at a time uses an instance, under the lock of the file's owner, such as
/// `FileWriter`.
struct OpenFile: ~Copyable {
  private let path: String
  private let permissions: UInt16?
  private let survivesMachine: Bool
  /// The file. Nil while it is closed: `write` then opens the file for each line, and closes it
  /// again.
  private var file: OwnedDescriptor?
  /// The status of the file that was open last, whose permissions, owner and group a new file gets.
  private var former: stat?
  /// The root folder when the file was opened. In another root, the path leads elsewhere.
  private let root = FileDescriptor.identity(at: "/")
  /// The time, in whole seconds, at which the path was last compared with this file.
  private var latestLook = SystemClock.coarse()
  /// Whether the last write ended within a line.
  private var isTorn = false
  /// Whether it was reported that the path cannot be opened again.
  private var isAstray = false
  /// Whether it was reported that the descriptor's number belonged to another file.
  private var isTheftReported = false
  /// Whether written lines still have to be synchronized with the disk, and the second of the last
  /// synchronization.
  private var isUnsynchronized = false
  private var latestSynchronization = 0
  /// The rotator of the file; nil if the file is not rotated.
  private var rotator: Rotator?
  /// The events that the file's owner, such as `FileWriter`, still has to report.
  private var news = News()
  /// The lock by which writers take turns.
  private var lock: WriterLock
  /// The file's size after the last line that this process wrote or saw; a different size shows
  /// that another writer has appended. -1 if unknown.
  private var latestEnd = -1
  /// The number of further lines that are each followed by a check for half lines, even if no other
  /// writer was seen. A program that has just started does not know yet whether there is another
  /// writer, which the scheduler may have suspended. Writing 10,000 lines takes some milliseconds.
  /// By then such a writer has probably run again and been seen.
  private var firstLooks = 10_000
  /// The second until which each line is followed by a check for half lines, because another writer
  /// was seen.
  private var sharedUntil = Int.min

  /// The events that the file's owner, such as `FileWriter`, reports after it has released its
  /// lock.
  struct News {
    /// The outcome of the last rotation.
    var rotation: RotationOutcome?
    /// A fault to report: the writers' lock cannot be taken, the path cannot be opened again, or
    /// the file that was open before cannot be synchronized with the disk.
    var trouble: String?
    /// How a file that was found at the path differs from one that this process would create.
    var oddity: String?
  }

  /// The time to wait for another program to make the next file, after that program has renamed
  /// this file.
  private let grace: Duration

  /// The number of seconds between checks of the path.
  private static var trust: Int { 1 }

  /// The number of seconds, after another writer was seen, in which this process checks after each
  /// line that it writes whether the line was appended to a partly written line.
  private static var company: Int { 60 }

  init(
    path: String, _ options: FileOptions, _ descriptor: FileDescriptor, _ rotator: Rotator? = nil,
    grace: Duration = .milliseconds(50)
  ) {
    self.path = path
    self.grace = grace
    self.rotator = rotator
    lock = WriterLock(for: path, bufferFolder: options.bufferFolder)
    permissions = options.permissions
    survivesMachine = options.survival == .machine
    former = descriptor.status
    file = OwnedDescriptor(descriptor)
  }

  /// The descriptor of the open file, which is compared with the file once a second, and before
  /// each batch.
  var descriptor: FileDescriptor? { file?.unchecked }

  /// Closes the file. After that, `write` opens the file for each line, and closes it again.
  mutating func close() {
    former = file?.checked?.status ?? former
    file = nil
    lock.remove()
  }

  /// Opens the path again.
  mutating func reopen() throws(SystemError) {
    former = file?.checked?.status ?? former
    let new = try openAgain()
    if let error = synchronize(atOnce: true) {
      news.trouble = Self.text(ofFormer: error)
    }
    file = OwnedDescriptor(new)
    isTorn = false
    isAstray = false
    latestEnd = -1
    news.oddity = descriptor.flatMap { Self.oddity(of: $0, path, permissions) }
  }

  /// Describes how the permissions, owner or links of an existing file differ from those of a file
  /// that this process would create. Returns nil if nothing differs, if `permissions` is nil, or if
  /// the file is not a regular file.
  static func oddity(
    of file: FileDescriptor, _ path: String, _ permissions: UInt16?
  ) -> String? {
    guard let permissions, let status = file.status, file.isRegular else { return nil }
    var words: [String] = []
    let now = UInt16(status.st_mode & 0o7777)
    if now != permissions { words.append("has the permissions \(String(now, radix: 8))") }
    if status.st_uid != geteuid() { words.append("belongs to the user \(status.st_uid)") }
    if status.st_nlink > 1 { words.append("is hard-linked") }
    if (try? FileStatus(at: path))?.isFile == false { words.append("is a symbolic link") }
    guard !words.isEmpty else { return nil }
    return """
      new files get the permissions \(String(permissions, radix: 8)), but the existing file \
      \(words.joined(separator: ", ")). It is used unchanged; correct this, or remove the file.
      """
  }

  /// Opens the file for appending, and makes missing folders.
  static func open(
    _ path: String, _ permissions: UInt16?, like former: stat? = nil
  ) throws(SystemError) -> FileDescriptor {
    // The error is ignored: opening the file fails with a clearer error.
    try? FileSystem.makeFolders(FileSystem.split(path).folder)
    return try .appending(to: path, permissions: permissions, like: former)
  }

  /// Whether the process has called chroot(2) since the file was opened.
  var isInOtherRoot: Bool { FileDescriptor.identity(at: "/") != root }

  /// Opens the path again. Refuses anything but a regular file, since a pipe could block callers.
  private func openAgain() throws(SystemError) -> FileDescriptor {
    if isInOtherRoot { throw .otherRoot }
    let new = try Self.open(path, permissions, like: former)
    guard new.isRegular else {
      new.close()
      throw .inTheWay
    }
    return new
  }

  /// Waits until the written bytes are on the disk. Does so at most once a second, unless `atOnce`
  /// is true.
  mutating func synchronize(atOnce: Bool) -> SystemError? {
    // If other code closed the descriptor, the file is synchronized after it was opened again.
    guard isUnsynchronized, atOnce || SystemClock.coarse() > latestSynchronization,
      let descriptor = file?.checked
    else { return nil }
    do throws(SystemError) { try descriptor.synchronize() } catch { return error }
    isUnsynchronized = false
    latestSynchronization = SystemClock.coarse()
    return nil
  }

  /// Opens the path again if it now leads to another file, or if the descriptor's number does.
  ///
  /// If the path cannot be opened, lines are still written to the open file, and this is reported
  /// once. But if that file was removed, the error is returned, since no reader would find the
  /// lines.
  private mutating func follow() -> SystemError? {
    latestLook = SystemClock.coarse()
    let condition = file?.condition ?? .closed
    let isThere = FileDescriptor.identity(at: path) == file?.identity
    if condition == .own, isThere {
      isAstray = false
      return nil
    }
    if condition == .own, !isInOtherRoot { awaitNext() }
    do throws(SystemError) {
      try reopen()
      if condition == .another, isTheftReported.turnOn() {
        news.trouble = Self.text(ofTheft: path)
      }
    } catch {
      if file?.checked?.isRemoved ?? true { return error }
      if !isAstray {
        news.trouble = Self.text(ofAstray: path, error)
      }
      isAstray = true
    }
    return nil
  }

  /// Waits briefly, so that the program that renamed the file, such as logrotate, can make the next
  /// file. If this process made the next file first, logrotate would find a file that it has not
  /// made, and would rename that file as well.
  private func awaitNext() {
    guard let descriptor, !descriptor.isRemoved else { return }
    SystemThread.wait(atMost: grace) { FileDescriptor.identity(at: path) != nil }
  }
}

/// The texts of reports.
extension OpenFile {
  static func text(ofFormer error: SystemError) -> String {
    """
    cannot synchronize the previous file with the disk: \(error). A power failure may lose its \
    latest lines.
    """
  }

  static func text(ofTheft path: String) -> String {
    """
    other code closed the log's descriptor, whose number now belongs to another file; “\(path)” \
    was reopened. Close only descriptors that your code has opened.
    """
  }

  static func text(ofAstray path: String, _ error: SystemError) -> String {
    """
    cannot reopen “\(path)”: \(error). Lines stay in the open file; let this user open the path.
    """
  }
}

/// Functions that write lines one by one.
extension OpenFile {
  /// Writes the line in one call to the file at the path. Checks once a second whether the path
  /// leads to another file than the open one.
  ///
  /// - Parameter now: The time, if the file is rotated; nil otherwise.
  mutating func write(_ line: UnsafeRawBufferPointer, _ now: Date?) -> SystemError? {
    if let now { rotate(adding: line.count, now) }
    if file == nil { return writeOnce(line) }
    if SystemClock.coarse() - latestLook >= Self.trust {
      if let error = follow() {
        // Makes the next line check the path again.
        latestLook -= Self.trust
        return error
      }
      if let descriptor, let error = endHalfLine(descriptor) { return error }
    } else if latestEnd < 0, let descriptor, let error = endHalfLine(descriptor) {
      return error
    }
    guard let error = append(line) else { return nil }
    // If the number no longer leads to the file, the line is written after the file was opened
    // again.
    let isOwn = file?.condition == .own
    if let other = follow() { return other }
    return isOwn ? error : append(line)
  }

  private mutating func append(_ line: UnsafeRawBufferPointer) -> SystemError? {
    guard let descriptor else { return .unopened }
    let error = append(line, to: descriptor)
    if error == nil { isUnsynchronized = survivesMachine }
    return error
  }

  /// Opens the file, writes the line, and closes the file.
  private mutating func writeOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    do throws(SystemError) {
      let descriptor = try openAgain()
      defer { descriptor.close() }
      if let error = endHalfLine(descriptor) ?? append(line, to: descriptor) { return error }
      if survivesMachine { try descriptor.synchronize() }
      return nil
    } catch {
      return error
    }
  }

  /// Writes the line at the end of the file. Writes it again if it was appended to half a line,
  /// which a killed writer may have left.
  ///
  /// A check for half a line before each write would triple the cost, and would miss a writer that
  /// dies between the check and the write. So the line is written first. Then, as long as there may
  /// be another writer, the file's position is read. If another writer has appended, the byte
  /// before the line is checked.
  private mutating func append(
    _ line: UnsafeRawBufferPointer, to descriptor: FileDescriptor
  ) -> SystemError? {
    for _ in 0..<3 {
      let (count, error) = descriptor.write(line)
      if let error {
        if count > 0 { isTorn = true }
        latestEnd = -1
        return error
      }
      if firstLooks > 0 {
        firstLooks -= 1
      } else if latestEnd >= 0, SystemClock.coarse() > sharedUntil {
        latestEnd += count
        return nil
      }
      if noteEnd(of: descriptor, after: count) { return nil }
    }
    return nil
  }

  /// Notes where a write of `count` bytes ended; returns whether the write began at the start of a
  /// line, or true if that is unknown.
  private mutating func noteEnd(of descriptor: FileDescriptor, after count: Int) -> Bool {
    guard let end = descriptor.position else {
      latestEnd = -1
      return true
    }
    let isOwn = latestEnd == end - count
    if !isOwn { noteCompany() }
    latestEnd = end
    return isOwn || descriptor.endsLine(at: end - count) ?? true
  }

  /// Records that another writer appended to the file. If `latestEnd` is unknown, a changed size
  /// does not prove that another writer appended, so nothing is recorded.
  private mutating func noteCompany() {
    if latestEnd >= 0 { sharedUntil = SystemClock.coarse() + Self.company }
  }

  /// If the file ends with half a line, appends a line feed, unless a living writer is still
  /// writing that line.
  private mutating func endHalfLine(_ descriptor: FileDescriptor) -> SystemError? {
    guard let size = descriptor.size, size != latestEnd else { return nil }
    noteCompany()
    if descriptor.endsLine(at: size) ?? !isTorn {
      latestEnd = size
      return nil
    }
    takeLock()
    defer { lock.release() }
    return endHalfLine(descriptor, size)
  }

  /// If the file, whose size is `size`, ends with half a line, appends a line feed. The caller has
  /// tried to take the lock.
  ///
  /// A process that writes line by line does not lock its writes. During such a write, the file may
  /// seem to end with half a line. So the line feed is appended only once the file's size has not
  /// changed for 1 ms, or for 20 ms if the lock is not held.
  private mutating func endHalfLine(_ descriptor: FileDescriptor, _ size: Int) -> SystemError? {
    var (size, looks) = (size, 0)
    // The limit, two seconds at least, is for a program that writes half lines without a pause.
    for _ in 0..<2_000 {
      if descriptor.endsLine(at: size) ?? !isTorn {
        latestEnd = size
        return nil
      }
      // Without the lock, this writer waits longer, because the half line may be part of a batch
      // that another writer is still writing.
      if looks == (lock.isHeld ? 1 : 20) { break }
      SystemThread.sleep(.milliseconds(1))
      let latest = descriptor.size ?? size
      looks = latest == size ? looks + 1 : 0
      size = latest
    }
    return end(descriptor)
  }

  /// Appends a line feed after a partly written line.
  private mutating func end(_ descriptor: FileDescriptor) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    // Valid: the pointer to the one byte is used only during the call.
    let (_, error) = withUnsafeBytes(of: &newline) { descriptor.write($0) }
    if error == nil {
      isTorn = false
      latestEnd = descriptor.position ?? -1
    }
    return error
  }
}

/// Functions that write the lines of a ring.
extension OpenFile {
  /// Writes the lines of the ring before `end`. Returns a lower bound of the number of damaged
  /// lines, which are skipped, and the error that prevented the rest.
  mutating func drain(
    _ lines: LineQueue, until end: UInt64, _ now: Date?
  ) -> (damaged: Int, error: SystemError?) {
    var batch = LineBatch()
    var (damaged, idle) = (0, 0)
    while lines.ring.start < end {
      let before = lines.ring.start
      let error = drain(lines, until: end, now, &batch, &damaged)
      // Other code that closes all descriptors may disturb some attempts in a row.
      if let error, error != .busy, error != .closed { return (damaged, error) }
      idle = lines.ring.start == before ? idle + 1 : 0
      // If these calls removed no line from the ring, further calls might remove none, either, and
      // the loop would never end.
      if idle == 20 { return (damaged, error ?? .busy) }
    }
    return (damaged, nil)
  }

  /// Appends the next lines of the ring, as many as fit into one write, to the file that the path
  /// leads to now. A damaged line ends the batch; if it is the first line, it is skipped and
  /// counted, and nothing is written.
  ///
  /// A writer takes the lock before it checks for a half line and writes its batch, so that no
  /// other batch is appended in between. An intent, which describes the write, is stored first. If
  /// the write is cut short, this process, or the next one that opens the buffer, uses the intent
  /// to find the written part in the file.
  ///
  /// A file that is rotated takes the lines that fit; the other lines go to the next file.
  private mutating func drain(
    _ lines: LineQueue, until end: UInt64, _ now: Date?, _ batch: inout LineBatch,
    _ damaged: inout Int
  ) -> SystemError? {
    if file == nil {
      do throws(SystemError) { try reopen() } catch { return error }
    }
    if let now { rotate(adding: lines.firstLine(until: end), now) }
    takeLock()
    defer { lock.release() }
    if let error = follow() { return error }
    let (torn, tornEnd) = lines.intent.map { settle(lines, $0, &batch) } ?? (0, 0)
    guard lines.ring.start < end else { return nil }
    direct(lines)
    guard let identity = file?.identity, let descriptor = file?.checked, let size = descriptor.size
    else {
      // Other code of the process closed the number just now, or the file's disk is gone. The next
      // call opens the file again.
      return nil
    }
    if torn == 0, size != latestEnd, let error = endHalfLine(descriptor, size) {
      return error
    }
    lines.gather(&batch, until: end, room: rotator?.room(after: size) ?? .max)
    guard !batch.bytes.isEmpty else {
      damaged += lines.passOverDamage(until: end)
      return nil
    }
    lines.intend(
      identity, size: (descriptor.size ?? size) - torn, from: lines.ring.start, until: batch.end)
    let bytes = UnsafeRawBufferPointer(rebasing: batch.bytes[torn...])
    let (count, error) = descriptor.write(bytes)
    if let error {
      latestEnd = -1
      // If the number no longer leads to the file, the next call opens the file again, and searches
      // it for the lines.
      return file?.condition == .own ? error : nil
    }
    isUnsynchronized = survivesMachine
    let isBehindLine = noteEnd(of: descriptor, after: count)
    if torn == 0 ? !isBehindLine : latestEnd - count != tornEnd {
      // The first line of the batch, or the rest of that line, was appended to the half line of
      // another writer, which took no lock and died. So the first line is written again.
      let end = batch.bytes.firstIndex(of: UInt8(ascii: "\n")) ?? batch.bytes.count - 1
      let line = UnsafeRawBufferPointer(rebasing: batch.bytes[...end])
      if let error = append(line, to: descriptor) { return error }
    }
    lines.ring.remove(before: batch.end, lines: batch.lines)
    return nil
  }

  /// Lets signal handlers write the waiting lines to the open file. The caller has claimed the
  /// right to drain.
  func direct(_ lines: LineQueue) {
    if let file { lines.direct(to: file) }
  }

  /// Rotates the file if a rotation is due before another `count` bytes are written.
  private mutating func rotate(adding count: Int, _ now: Date) {
    guard let size = descriptor?.size, let identity = file?.identity,
      rotator?.isDue(size: size, adding: count, now: now) == true, !isInOtherRoot
    else { return }
    takeLock()
    defer { lock.release() }
    // If another process holds the lock, the rotation is left to a later write.
    if lock.isTaken { return }
    guard let outcome = rotator?.rotate(identity, adding: count, now: now) else { return }
    news.rotation = outcome
    switch outcome {
    case .rotated, .replaced: try? reopen()
    case .failed, .notDue, .postponed: break
    }
  }

  /// Takes the lock, unless its path leads elsewhere, in another root.
  private mutating func takeLock() {
    guard !isInOtherRoot, let status = file?.checked?.status ?? former else { return }
    if let trouble = lock.take(for: status) { news.trouble = trouble }
  }

  /// Returns the news and resets it.
  mutating func takeNews() -> News {
    defer { news = News() }
    return news
  }

  /// Finds out which lines of an interrupted write are in the file, and marks these as drained.
  /// Returns how many bytes of the next line are at the very end of the file, and the file's size.
  ///
  /// The found lines are marked as drained before an intent for the remaining lines is stored,
  /// because a search always looks for the first waiting line. If the process is killed while it
  /// stores the intent, there may be no valid intent. Then only the remaining lines are written.
  private func settle(
    _ lines: LineQueue, _ intent: ambient_intent, _ batch: inout LineBatch
  ) -> (torn: Int, end: Int) {
    guard let file = find(intent.identity) else { return (0, 0) }
    defer { file.close() }
    // If the file was truncated meanwhile, the whole file is searched.
    var place = Int(intent.size) <= (file.size ?? 0) ? Int(intent.size) : 0
    while lines.ring.start < intent.until {
      lines.gather(&batch, until: intent.until, room: .max)
      if batch.bytes.isEmpty {
        // The first waiting line is damaged, so the search ends here, and this drain skips the
        // damaged line. The lines after it may also be in the file; the next drain searches for
        // them.
        return (0, 0)
      }
      let found = PartialWriteSearch(for: batch.bytes, in: file, from: place)
      let (next, count) =
        found.whole == batch.bytes.count
        ? (batch.end, batch.lines) : lines.place(after: found.whole, until: intent.until)
      if found.whole > 0 {
        place = found.end
        lines.ring.remove(before: next, lines: count)
        lines.intend(intent.identity, size: place, from: next, until: intent.until)
      }
      // The file may end with the first `found.torn` bytes of the next line. The rest of the line
      // can be appended only if the next batch goes to this file. If the batch goes to another
      // file, for example after a rotation, the whole line is written there.
      if next < batch.end {
        return intent.identity == self.file?.identity ? (found.torn, found.size) : (0, 0)
      }
    }
    return (0, 0)
  }

  /// Stores an intent that covers all waiting lines, so that the next drain searches the file for
  /// them: it is not known which of them were already written.
  func lookForAll(of lines: LineQueue) {
    guard let identity = file?.identity, let size = descriptor?.size else { return }
    // The lines of the ring that are in the file lie after `start`, unless other writers have
    // appended many bytes after these lines.
    let start = max(0, size - 4 * lines.ring.capacity)
    lines.intend(identity, size: start, from: lines.ring.start, until: lines.ring.end)
  }

  /// Opens the file of that identity, at the path or in the same folder, for reading.
  ///
  /// Links are followed, as they were when the file was opened and rotated.
  private func find(_ wanted: FileDescriptor.Identity) -> FileDescriptor? {
    let path = FileSystem.resolved(path)
    let folder = FileSystem.split(path).folder
    var candidates = [path]
    if FileDescriptor.identity(at: path) != wanted {
      candidates = (try? FileSystem.paths(in: folder)) ?? []
    }
    for candidate in candidates where FileDescriptor.identity(at: candidate) == wanted {
      if let file = try? FileDescriptor.existing(candidate, toWrite: false) { return file }
    }
    return nil
  }
}
