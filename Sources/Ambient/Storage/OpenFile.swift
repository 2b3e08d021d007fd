#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
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
  /// Whether the last line was written in part only.
  private var isTorn = false
  /// Whether a batch was written that may not stand on the disk yet, and when the last did.
  private var isUnsynchronized = false
  private var latestSynchronization = 0
  /// Nil for a file that is not rotated.
  private var rotator: Rotator?
  /// What came of the last rotation, until it is told.
  private var latestRotation: RotationOutcome?
  /// Whether the file's lock was had for this batch.
  private var isLocked = false
  /// The size after the last batch: another one tells that somebody else has written.
  private var latestEnd = -1

  /// How long a file that was renamed still takes lines where nobody has made the next.
  private let grace: Duration

  /// How long the path is trusted, in seconds.
  private static var trust: Int { 1 }

  init(
    path: String, _ options: FileOptions, _ descriptor: FileDescriptor, _ rotator: Rotator? = nil,
    grace: Duration = .milliseconds(50)
  ) {
    self.path = path
    self.grace = grace
    self.rotator = rotator
    permissions = options.permissions
    survivesMachine = options.survival == .machine
    self.descriptor = descriptor
    identity = descriptor.identity
  }

  deinit { descriptor?.close() }

  /// Closes the file; a line opens it again.
  mutating func close(after error: SystemError?) {
    descriptor?.close()
    descriptor = nil
    identity = nil
  }

  /// Opens the path anew, onto the same number if one is open.
  mutating func reopen() throws(SystemError) {
    let new = try Self.open(path, permissions)
    _ = synchronize(atOnce: true)
    if let descriptor { try descriptor.become(new) } else { descriptor = new }
    identity = descriptor?.identity
    isTorn = false
    latestEnd = -1
  }

  /// Opens the file for appending, after making the folders that are missing.
  static func open(_ path: String, _ permissions: UInt16?) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try .appending(to: path, permissions: permissions)
    } catch {
      // Cut by hand: a URL would take a ~ for the user's folder, which opening the file does not.
      guard error.isMissing, let slash = path.lastIndex(of: "/"), slash != path.startIndex
      else { throw error }
      // What goes wrong the system says better when the file is opened.
      try? FileManager.default.createDirectory(
        atPath: String(path[..<slash]), withIntermediateDirectories: true)
      return try .appending(to: path, permissions: permissions)
    }
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
  /// What cannot be opened leaves the file that is open, which still takes what is written.
  mutating func follow() {
    latestLook = SystemClock.coarse()
    if let identity, FileDescriptor.identity(at: path) == identity { return }
    awaitNext()
    try? reopen()
  }

  /// Waits a little for whoever renamed the file to make the next, as logrotate does: one made by
  /// us in between it would put aside, and the next such in its place.
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
    if SystemClock.coarse() - latestLook >= Self.trust { follow() }
    if isTorn, let error = end(descriptor) { return error }
    let (count, error) = descriptor.write(line, patience: -1, isPrompt: false)
    guard let error else { return nil }
    if count > 0 { isTorn = true }
    if error.isStale { try? reopen() } else { follow() }
    return error
  }

  /// Opens the file for this line alone.
  private func writeOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    do throws(SystemError) {
      let descriptor = try Self.open(path, permissions)
      defer { descriptor.close() }
      return descriptor.write(line, patience: -1, isPrompt: false).error
    } catch {
      return error
    }
  }

  /// Ends a line of which a part was written.
  private mutating func end(_ descriptor: FileDescriptor) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    // Valid: one byte, for the time of the call.
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: -1, isPrompt: false)
    }
    if error == nil { isTorn = false }
    return error
  }
}

/// Lines that wait in a ring.
extension OpenFile {
  /// Writes what the ring holds, at the end of the file that the path is now.
  ///
  /// Those who write batches take turns, by a lock on the file, so that none is put behind half a
  /// line of one who died. The intent is noted first: what is there of a batch that was cut short
  /// is found in the file, by this or by the next opening.
  ///
  /// A file that is rotated takes as many lines as fit, and the next file the others.
  mutating func drain(_ ring: LineRing, until end: UInt64, _ now: Date?) -> SystemError? {
    if descriptor == nil {
      do throws(SystemError) { try reopen() } catch { return error }
    }
    if let now { rotate(adding: ring.firstLine(until: end), now) }
    guard let descriptor = takeTurn() else { return .unopened }
    defer { descriptor.unlock() }
    var found = BatchSearch.nothing
    if let intent = ring.intent { found = settle(ring, intent) }
    guard ring.drained < end, let identity, let size = descriptor.size else { return nil }
    // Without the lock, what seems torn may be another's batch on its way.
    if found.torn == 0, isLocked, size != latestEnd, size > 0, !endsALine(size),
      let error = self.end(descriptor)
    {
      return error
    }
    let start = ring.drained
    let end = rotator.map { ring.end(ofLinesIn: $0.room(after: size), until: end) } ?? end
    ring.intend(identity, size: (descriptor.size ?? size) - found.torn, until: end)
    let bytes = ring.bytes(from: start + UInt64(found.torn), to: end)
    let (count, error) = descriptor.write(bytes, patience: -1, isPrompt: false)
    if let error {
      latestEnd = -1
      if error.isStale { try? reopen() }
      return error
    }
    latestEnd = size + count
    isUnsynchronized = survivesMachine
    ring.note(drained: end)
    return nil
  }

  /// Rotates the file if it is due before so many bytes more.
  private mutating func rotate(adding count: Int, _ now: Date) {
    guard let size = descriptor?.size, let identity,
      rotator?.isDue(size: size, adding: count, now: now) == true,
      let outcome = rotator?.rotate(identity, adding: count, now: now)
    else { return }
    latestRotation = outcome
    switch outcome {
    case .rotated, .replaced: try? reopen()
    case .failed, .notDue, .postponed: break
    }
  }

  /// What came of the last rotation, once.
  mutating func takeRotation() -> RotationOutcome? {
    defer { latestRotation = nil }
    return latestRotation
  }

  /// Takes the lock of the file that the path is; nil if it cannot be followed.
  private mutating func takeTurn() -> FileDescriptor? {
    for _ in 0..<3 {
      guard let descriptor else { return nil }
      isLocked = descriptor.lockPatiently()
      if let identity, FileDescriptor.identity(at: path) == identity { return descriptor }
      awaitNext()
      do throws(SystemError) {
        let new = try Self.open(path, permissions)
        _ = synchronize(atOnce: true)
        descriptor.unlock()
        try descriptor.become(new)
        identity = descriptor.identity
        latestEnd = -1
      } catch {
        // The file that is open still takes lines.
        return descriptor
      }
    }
    return descriptor
  }

  /// Notes as drained what stands in the file of a batch that was cut short.
  private func settle(
    _ ring: LineRing, _ intent: (identity: FileDescriptor.Identity, size: Int, until: UInt64)
  ) -> BatchSearch {
    let batch = ring.bytes(from: ring.drained, to: intent.until)
    guard let file = file(intent.identity) else { return .nothing }
    defer { file.close() }
    // Truncated meanwhile, from its new beginning.
    let start = intent.size <= (file.size ?? 0) ? intent.size : 0
    var found = BatchSearch(for: batch, in: file, from: start)
    ring.note(drained: ring.drained + UInt64(found.whole))
    if intent.identity != identity { found.forgetTorn() }
    return found
  }

  /// The file that has that identity, at the path or beside it, opened to be read.
  private func file(_ wanted: FileDescriptor.Identity) -> FileDescriptor? {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    var candidates = [path]
    if FileDescriptor.identity(at: path) != wanted {
      candidates = ((try? FileSystem.names(in: folder)) ?? []).map { "\(folder)/\($0)" }
    }
    for candidate in candidates where FileDescriptor.identity(at: candidate) == wanted {
      if let file = try? FileDescriptor.existing(candidate, toWrite: false) { return file }
    }
    return nil
  }

  /// Whether the file's last byte is a newline, as far as it may be read.
  private func endsALine(_ size: Int) -> Bool {
    guard let file = try? FileDescriptor.existing(path, toWrite: false) else { return true }
    defer { file.close() }
    return file.read(1, at: size - 1).first ?? UInt8(ascii: "\n") == UInt8(ascii: "\n")
  }
}
