#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Lines that wait in a ring.
extension OpenFile {
  /// Writes what the ring holds, at the end of the file that the path is now.
  ///
  /// Those who write batches take turns, so that none is put behind half a line of one who died.
  /// The intent is noted first: what is there of a batch that was cut short is found in the file,
  /// by this or by the next opening.
  ///
  /// A file that is rotated takes as many lines as fit, and the next file the others.
  mutating func drain(_ ring: LineRing, until end: UInt64, _ now: Date?) -> SystemError? {
    if descriptor == nil {
      do throws(SystemError) { try reopen() } catch { return error }
      if let descriptor { ring.direct(to: descriptor) }
    }
    if let now { rotate(adding: ring.firstLine(until: end), now) }
    if let descriptor { turn.take(for: descriptor) }
    defer { turn.release() }
    if let error = follow() { return error }
    guard let descriptor else { return .unopened }
    var found = BatchSearch.nothing
    if let intent = ring.intent { found = settle(ring, intent) }
    guard ring.drained < end else { return nil }
    guard let identity, let size = descriptor.size else {
      // Closed by somebody else, or gone with its disk.
      let error = SystemError.latest
      try? reopen()
      return error
    }
    if found.torn == 0, size != latestEnd, let error = endHalfLine(descriptor, size) {
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
    isUnsynchronized = survivesMachine
    if !noteEnd(of: descriptor, after: count), found.torn == 0 {
      // One who took no turn died meanwhile: the first line stands behind half of its.
      let line = UnsafeRawBufferPointer(rebasing: bytes[..<ring.firstLine(until: end)])
      if let error = append(line, to: descriptor) { return error }
    }
    ring.note(drained: end)
    return nil
  }

  /// Rotates the file if it is due before so many bytes more.
  mutating func rotate(adding count: Int, _ now: Date) {
    guard let size = descriptor?.size, let identity,
      let descriptor, rotator?.isDue(size: size, adding: count, now: now) == true
    else { return }
    turn.take(for: descriptor)
    defer { turn.release() }
    // One who writes a batch just now.
    if turn.isTaken { return }
    guard let outcome = rotator?.rotate(identity, adding: count, now: now) else { return }
    latestRotation = outcome
    switch outcome {
    case .rotated, .replaced: try? reopen()
    case .failed, .notDue, .postponed: break
    }
  }

  /// What came of the last rotation, and what is to be told of the file, once.
  mutating func takeNews() -> FileNews {
    defer { (latestRotation, oddity) = (nil, nil) }
    return FileNews(rotation: latestRotation, trouble: turn.takeTrouble(), oddity: oddity)
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
}

/// What the owner of a file tells of it, with no lock held.
struct FileNews {
  let rotation: RotationOutcome?
  let trouble: String?
  /// In what it is not as it was asked for.
  let oddity: String?
}
