internal import CAmbient

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

/// The file that stands at a path, and is followed when another takes its place there: after a
/// rotation, by us or by others, a deletion, or the loss of its folder.
///
/// Used by one thread at a time; its owner has a lock for that.
struct OpenFile: ~Copyable {
  private let path: String
  private let permissions: UInt16?
  private let survivesMachine: Bool
  /// Nil while the file is opened for each line.
  private(set) var descriptor: FileDescriptor?
  private var identity: FileDescriptor.Identity?
  /// When it was last looked whether the path still is this file.
  private var latestLook = SystemClock.coarse()
  /// Whether the last write ended within a line.
  private var isTorn = false
  /// Whether a batch was written that may not stand on the disk yet, and when the last did.
  private var isUnsynchronized = false
  private var latestSynchronization = 0
  /// Nil for a file that is not rotated.
  private var rotator: Rotator?
  /// The events that the owner has yet to report.
  var news = News()
  /// The lock by which writers take turns.
  private var turn: WriterTurn
  /// Where the file last ended with a whole line: another size tells that another writer has
  /// appended; -1 where that is not known.
  private var latestEnd = -1
  /// Of how many lines more it is looked what they stand behind, whether another writer was seen or
  /// not: a program that begins does not know yet.
  private var firstLooks = 32
  /// Until which second each line is looked at, since another writer was seen.
  private var sharedUntil = Int.min

  /// What the owner of a file tells of it, with no lock held.
  struct News {
    /// What came of the last rotation.
    var rotation: RotationOutcome?
    /// What keeps writers from taking turns.
    var trouble: String?
    /// In what a file that was found in the place of another is not as it was asked for.
    var oddity: String?
    /// How many lines were damaged while they waited.
    var damaged = 0
  }

  /// How long a renamed file still takes lines while the path has no new one.
  private let grace: Duration

  /// How long the path is trusted, in seconds.
  private static var trust: Int { 1 }

  /// For how many seconds another writer is reckoned with that was seen.
  private static var company: Int { 60 }

  init(
    path: String, _ options: FileOptions, _ descriptor: FileDescriptor, _ rotator: Rotator? = nil,
    grace: Duration = .milliseconds(50)
  ) {
    self.path = path
    self.grace = grace
    self.rotator = rotator
    turn = WriterTurn(for: path, bufferFolder: options.bufferFolder)
    permissions = options.permissions
    survivesMachine = options.survival == .machine
    self.descriptor = descriptor
    identity = descriptor.identity
  }

  deinit { descriptor?.close() }

  /// Closes the file; a line opens it again.
  mutating func close() {
    descriptor?.close()
    descriptor = nil
    identity = nil
    turn.close()
  }

  /// Opens the path anew, onto the same number if one is open.
  mutating func reopen() throws(SystemError) {
    let new = try Self.openAgain(path, permissions)
    _ = synchronize(atOnce: true)
    do throws(SystemError) {
      if let descriptor { try descriptor.become(new) } else { descriptor = new }
    } catch {
      new.close()
      throw error
    }
    identity = descriptor?.identity
    isTorn = false
    latestEnd = -1
    news.oddity = descriptor.flatMap { Self.oddity(of: $0, path, permissions) }
  }

  /// In what a file that was there already is not as it was asked for, where that was; nil if in
  /// nothing.
  static func oddity(
    of file: FileDescriptor, _ path: String, _ permissions: UInt16?
  ) -> String? {
    guard let permissions, let status = file.status, file.isRegular else { return nil }
    var words: [String] = []
    let now = UInt16(status.st_mode & 0o7777)
    if now != permissions { words.append("has the permissions \(String(now, radix: 8))") }
    if status.st_uid != geteuid() { words.append("belongs to the user \(status.st_uid)") }
    if status.st_nlink > 1 { words.append("has another name, too") }
    if (try? FileStatus(at: path))?.isFile == false { words.append("is reached by a link") }
    guard !words.isEmpty else { return nil }
    return """
      was asked for with the permissions \(String(permissions, radix: 8)), and its file, which was \
      there already, \(words.joined(separator: ", ")). It is written to as it is; change or remove it.
      """
  }

  /// Opens the file for appending, after making the folders that are missing.
  static func open(
    _ path: String, _ permissions: UInt16?, waits: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try .appending(to: path, permissions: permissions, waits: waits)
    } catch {
      guard error.isMissing else { throw error }
      // What goes wrong the system says better when the file is opened.
      try? FileManager.default.createDirectory(
        atPath: FileSystem.split(path).folder, withIntermediateDirectories: true)
      return try .appending(to: path, permissions: permissions, waits: waits)
    }
  }

  /// Opens what took the place of the file, if that is a file: a pipe would keep callers waiting.
  private static func openAgain(
    _ path: String, _ permissions: UInt16?
  ) throws(SystemError) -> FileDescriptor {
    let new = try open(path, permissions, waits: false)
    guard new.isRegular else {
      new.close()
      throw .isInTheWay
    }
    return new
  }

  /// Waits until what was written stands on the disk; at most once a second unless `atOnce`.
  mutating func synchronize(atOnce: Bool) -> SystemError? {
    guard isUnsynchronized, atOnce || SystemClock.coarse() > latestSynchronization else {
      return nil
    }
    do throws(SystemError) { try descriptor?.synchronize() } catch { return error }
    isUnsynchronized = false
    latestSynchronization = SystemClock.coarse()
    return nil
  }

  /// Opens the path anew if it is another file by now.
  ///
  /// If the path cannot be opened, lines go on to the open file, unless that was removed: no reader
  /// would find them there.
  private mutating func follow() -> SystemError? {
    latestLook = SystemClock.coarse()
    if let identity, FileDescriptor.identity(at: path) == identity { return nil }
    awaitNext()
    do throws(SystemError) {
      try reopen()
    } catch {
      return descriptor?.isRemoved ?? true ? error : nil
    }
    return nil
  }

  /// Waits a little for the program that renamed the file to make the next, as logrotate does: a
  /// file that we made in between would be put aside by it, and so would the next.
  private func awaitNext() {
    guard let descriptor, !descriptor.isRemoved else { return }
    let end = SystemClock.monotonic() + grace
    while FileDescriptor.identity(at: path) == nil, SystemClock.monotonic() < end {
      SystemThread.sleep(.milliseconds(1))
    }
  }
}

/// Lines one by one.
extension OpenFile {
  /// Writes the line in one call, to whatever file the path was within the last second.
  ///
  /// - Parameter now: For a file that is rotated.
  mutating func write(_ line: UnsafeRawBufferPointer, _ now: Date?) -> SystemError? {
    if let now { rotate(adding: line.count, now) }
    guard let descriptor else { return writeOnce(line) }
    if SystemClock.coarse() - latestLook >= Self.trust {
      if let error = follow() {
        // To be looked at once more by the next line.
        latestLook -= Self.trust
        return error
      }
      if let error = endHalfLine(descriptor) { return error }
    } else if latestEnd < 0, let error = endHalfLine(descriptor) {
      return error
    }
    guard let error = append(line, to: descriptor) else {
      isUnsynchronized = survivesMachine
      return nil
    }
    if error.isStale { try? reopen() } else { _ = follow() }
    return error
  }

  /// Opens the file for this line alone.
  private mutating func writeOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    do throws(SystemError) {
      let descriptor = try Self.openAgain(path, permissions)
      defer { descriptor.close() }
      return endHalfLine(descriptor) ?? append(line, to: descriptor)
    } catch {
      return error
    }
  }

  /// Writes the line at the end of the file, and once more if it stands behind half a line there.
  ///
  /// A writer that is killed may leave such a half. Looking for it before each line would cost
  /// three times the write, and come too early for one that dies meanwhile. What stands before the
  /// line is certain once that is written. Where it ended is asked for as long as there may be
  /// another writer, and what stands before it is read if that has appended.
  private mutating func append(
    _ line: UnsafeRawBufferPointer, to descriptor: FileDescriptor
  ) -> SystemError? {
    for _ in 0..<3 {
      let (count, error) = descriptor.write(line, patience: -1, isPrompt: false)
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

  /// Notes where a write of so many bytes ended; whether it began where a line does.
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

  /// Notes that the file does not end where it was left, if it was.
  private mutating func noteCompany() {
    if latestEnd >= 0 { sharedUntil = SystemClock.coarse() + Self.company }
  }

  /// Ends the half line at the end of the file, if there is one and no living writer is at it.
  private mutating func endHalfLine(_ descriptor: FileDescriptor) -> SystemError? {
    guard let size = descriptor.size, size != latestEnd else { return nil }
    noteCompany()
    if descriptor.endsLine(at: size) ?? !isTorn {
      latestEnd = size
      return nil
    }
    takeTurn(for: descriptor)
    defer { turn.release() }
    return endHalfLine(descriptor, size)
  }

  /// Ends the half line at the end of the file, which has that size, if there is one; the turn was
  /// taken, if that could be.
  ///
  /// A process that writes line by line takes no turn: during its write, the size may show half a
  /// line. So only a file that ends within a line for a while has a half line.
  private mutating func endHalfLine(_ descriptor: FileDescriptor, _ size: Int) -> SystemError? {
    var (size, looks) = (size, 0)
    while !(descriptor.endsLine(at: size) ?? !isTorn) {
      // Without the turn, it may be a batch of another writer.
      if looks == (turn.isHeld ? 1 : 20) { return end(descriptor) }
      SystemThread.sleep(.milliseconds(1))
      let latest = descriptor.size ?? size
      looks = latest == size ? looks + 1 : 0
      size = latest
    }
    latestEnd = size
    return nil
  }

  /// Ends a line of which a part was written.
  private mutating func end(_ descriptor: FileDescriptor) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    // Valid: one byte, for the time of the call.
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: -1, isPrompt: false)
    }
    if error == nil {
      isTorn = false
      latestEnd = descriptor.position ?? -1
    }
    return error
  }
}

/// Lines that wait in a ring.
extension OpenFile {
  /// Writes the lines of the ring before that place.
  mutating func drain(_ lines: LineQueue, until end: UInt64, _ now: Date?) -> SystemError? {
    var batch = LineBatch()
    while lines.ring.start < end {
      let before = lines.ring.start
      if let error = drain(lines, until: end, now, &batch) { return error }
      // A pass that does nothing would be repeated for ever.
      if lines.ring.start == before { return .busy }
    }
    return nil
  }

  /// Writes the next lines of the ring, as many as one write takes, at the end of the file that the
  /// path is now; fewer, be it none, where a damaged line stands, which is passed over and counted.
  ///
  /// Writers of batches take turns, so that none is put behind half a line of one that died. The
  /// intent is noted first: the part of a batch that a cut write left is found in the file, by this
  /// or by the next opening.
  ///
  /// A file that is rotated takes as many lines as fit, and the next file the others.
  private mutating func drain(
    _ lines: LineQueue, until end: UInt64, _ now: Date?, _ batch: inout LineBatch
  ) -> SystemError? {
    if descriptor == nil {
      do throws(SystemError) { try reopen() } catch { return error }
      if let descriptor { lines.direct(to: descriptor) }
    }
    if let now { rotate(adding: lines.firstLine(until: end), now) }
    if let descriptor { takeTurn(for: descriptor) }
    defer { turn.release() }
    if let error = follow() { return error }
    guard let descriptor else { return .unopened }
    let (torn, tornEnd) = lines.intent.map { settle(lines, $0, &batch) } ?? (0, 0)
    guard lines.ring.start < end else { return nil }
    guard let identity, let size = descriptor.size else {
      // Closed by other code of the process, or gone with its disk.
      let error = SystemError.latest
      try? reopen()
      return error
    }
    if torn == 0, size != latestEnd, let error = endHalfLine(descriptor, size) {
      return error
    }
    lines.gather(&batch, until: end, room: rotator?.room(after: size) ?? .max)
    guard !batch.bytes.isEmpty else {
      news.damaged += lines.passOverDamage(until: end)
      return nil
    }
    lines.intend(
      identity, size: (descriptor.size ?? size) - torn, from: lines.ring.start, until: batch.end)
    let bytes = UnsafeRawBufferPointer(rebasing: batch.bytes[torn...])
    let (count, error) = descriptor.write(bytes, patience: -1, isPrompt: false)
    if let error {
      latestEnd = -1
      if error.isStale { try? reopen() }
      return error
    }
    isUnsynchronized = survivesMachine
    let isBehindLine = noteEnd(of: descriptor, after: count)
    if torn == 0 ? !isBehindLine : latestEnd - count != tornEnd {
      // The first line stands behind half of a line, of a writer without a turn that died
      // meanwhile, or its rest behind such a writer's line.
      let end = batch.bytes.firstIndex(of: UInt8(ascii: "\n")) ?? batch.bytes.count - 1
      let line = UnsafeRawBufferPointer(rebasing: batch.bytes[...end])
      if let error = append(line, to: descriptor) { return error }
    }
    lines.ring.remove(before: batch.end, lines: batch.lines)
    return nil
  }

  /// Rotates the file if it is due before so many bytes more.
  private mutating func rotate(adding count: Int, _ now: Date) {
    guard let size = descriptor?.size, let identity,
      let descriptor, rotator?.isDue(size: size, adding: count, now: now) == true
    else { return }
    takeTurn(for: descriptor)
    defer { turn.release() }
    // Another process is writing a batch.
    if turn.isTaken { return }
    guard let outcome = rotator?.rotate(identity, adding: count, now: now) else { return }
    news.rotation = outcome
    switch outcome {
    case .rotated, .replaced: try? reopen()
    case .failed, .notDue, .postponed: break
    }
  }

  private mutating func takeTurn(for descriptor: FileDescriptor) {
    if let trouble = turn.take(for: descriptor) { news.trouble = trouble }
  }

  /// Takes what is to be told.
  mutating func takeNews() -> News {
    defer { news = News() }
    return news
  }

  /// Notes as drained which lines of a write that was cut short stand in the file; how many bytes
  /// of the next line stand at its very end, and where that is.
  ///
  /// Marks the found lines as drained, and then notes an intent for the rest: a search begins at
  /// the first waiting line, behind the found ones. A process that is killed between the two leaves
  /// no intent at worst, when nothing but the rest is to be written.
  private func settle(
    _ lines: LineQueue, _ intent: ambient_intent, _ batch: inout LineBatch
  ) -> (torn: Int, end: Int) {
    guard let file = file(intent.identity) else { return (0, 0) }
    defer { file.close() }
    // Truncated meanwhile, from its new beginning.
    var place = Int(intent.size) <= (file.size ?? 0) ? Int(intent.size) : 0
    while lines.ring.start < intent.until {
      lines.gather(&batch, until: intent.until, room: .max)
      if batch.bytes.isEmpty {
        // What stands behind a damaged line may be there all the same; passing over it is the
        // drain's.
        return (0, 0)
      }
      let found = BatchPrefixSearch(for: batch.bytes, in: file, from: place)
      let (next, count) =
        found.whole == batch.bytes.count
        ? (batch.end, batch.lines) : lines.place(after: found.whole, until: intent.until)
      if found.whole > 0 {
        place = found.end
        lines.ring.remove(before: next, lines: count)
        lines.intend(intent.identity, size: place, from: next, until: intent.until)
      }
      // Only where the next batch goes can a line be completed.
      if next < batch.end {
        return intent.identity == identity ? (found.torn, found.size) : (0, 0)
      }
    }
    return (0, 0)
  }

  /// Has all lines that wait looked for in the file before they are written, since it is not known
  /// which were.
  func lookForAll(of lines: LineQueue) {
    guard let identity, let size = descriptor?.size else { return }
    // What the ring holds stands within as many bytes of the end, unless others wrote there.
    let start = max(0, size - 4 * lines.ring.capacity)
    lines.intend(identity, size: start, from: lines.ring.start, until: lines.ring.end)
  }

  /// The file that has that identity, at the path or beside it, opened to be read.
  ///
  /// Links are followed, as they were when the file was opened and rotated.
  private func file(_ wanted: FileDescriptor.Identity) -> FileDescriptor? {
    let path = FileSystem.resolved(path)
    let folder = FileSystem.split(path).folder
    var candidates = [path]
    if FileDescriptor.identity(at: path) != wanted {
      candidates = ((try? FileSystem.names(in: folder)) ?? []).map { "\(folder)/\($0)" }
    }
    for candidate in candidates where FileDescriptor.identity(at: candidate) == wanted {
      if let file = try? FileDescriptor.existing(candidate, toWrite: false) { return file }
    }
    return nil
  }
}
