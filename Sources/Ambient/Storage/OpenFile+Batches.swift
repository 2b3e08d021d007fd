#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
      if let descriptor { ring.direct(to: descriptor) }
    }
    if let now { rotate(adding: ring.firstLine(until: end), now) }
    if let error = takeTurn() { return error }
    guard let descriptor else { return .unopened }
    defer { descriptor.unlock() }
    var found = BatchSearch.nothing
    if let intent = ring.intent { found = settle(ring, intent) }
    guard ring.drained < end else { return nil }
    guard let identity, let size = descriptor.size else {
      // Closed by somebody else, or gone with its disk.
      let error = SystemError.latest
      try? reopen()
      return error
    }
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
  mutating func rotate(adding count: Int, _ now: Date) {
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

  /// Takes the lock of the file that the path is; an error if it can neither be followed nor takes
  /// lines that somebody could read.
  private mutating func takeTurn() -> SystemError? {
    for _ in 0..<3 {
      guard let descriptor else { return .unopened }
      isLocked = descriptor.lockPatiently()
      if let identity, FileDescriptor.identity(at: path) == identity { return nil }
      awaitNext()
      do throws(SystemError) {
        let new = try Self.openAgain(path, permissions)
        _ = synchronize(atOnce: true)
        descriptor.unlock()
        try descriptor.become(new)
        identity = descriptor.identity
        latestEnd = -1
      } catch {
        guard descriptor.isRemoved else { return nil }
        descriptor.unlock()
        return error
      }
    }
    return nil
  }

  /// Notes as drained what stands in the file of a batch that was cut short.
  private func settle(_ ring: LineRing, _ intent: LineRing.Intent) -> BatchSearch {
    let batch = ring.bytes(from: intent.from, to: intent.until)
    guard let file = file(intent.identity) else { return .nothing }
    defer { file.close() }
    // Truncated meanwhile, from its new beginning.
    let start = intent.size <= (file.size ?? 0) ? intent.size : 0
    var found = BatchSearch(for: batch, in: file, from: start)
    ring.note(drained: max(ring.drained, intent.from + UInt64(found.whole)))
    // Only the line that is next can be completed, and only where the next batch goes.
    if intent.identity != identity || ring.drained != intent.from + UInt64(found.whole) {
      found.leaveTornLine()
    }
    return found
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

  /// Whether the file's last byte is a newline, as far as it may be read.
  ///
  /// Who writes line by line takes no turn: while its write is under way, the size may tell of half
  /// a line. So what ends in the middle of one must do so for a while.
  private func endsALine(_ size: Int) -> Bool {
    guard let file = try? FileDescriptor.existing(FileSystem.resolved(path), toWrite: false) else {
      return true
    }
    defer { file.close() }
    var size = size
    while let last = file.read(1, at: size - 1).first, last != UInt8(ascii: "\n") {
      SystemThread.sleep(.milliseconds(1))
      guard let latest = file.size, latest > size else { return false }
      size = latest
    }
    return true
  }
}
