#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Lines that wait in a ring.
extension OpenFile {
  /// Writes the lines of the ring before that place.
  mutating func drain(_ lines: LineQueue, until end: UInt64, _ now: Date?) -> SystemError? {
    var batch = LineBatch()
    while lines.start < end {
      let before = lines.start
      if let error = drain(lines, until: end, now, &batch) { return error }
      // A pass that does nothing would be repeated for ever.
      if lines.start == before { return .busy }
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
    if let descriptor { turn.take(for: descriptor) }
    defer { turn.release() }
    if let error = follow() { return error }
    guard let descriptor else { return .unopened }
    let (torn, tornEnd) = lines.intent.map { settle(lines, $0, &batch) } ?? (0, 0)
    guard lines.start < end else { return nil }
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
    guard !batch.isEmpty else {
      damagedLines += lines.passOverDamage(until: end)
      return nil
    }
    lines.intend(
      identity, size: (descriptor.size ?? size) - torn, from: lines.start, until: batch.end)
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
      let line = UnsafeRawBufferPointer(rebasing: batch.bytes[..<batch.firstLine])
      if let error = append(line, to: descriptor) { return error }
    }
    lines.note(drained: batch.end, lines: batch.lines)
    return nil
  }

  /// Rotates the file if it is due before so many bytes more.
  mutating func rotate(adding count: Int, _ now: Date) {
    guard let size = descriptor?.size, let identity,
      let descriptor, rotator?.isDue(size: size, adding: count, now: now) == true
    else { return }
    turn.take(for: descriptor)
    defer { turn.release() }
    // Another process is writing a batch.
    if turn.isTaken { return }
    guard let outcome = rotator?.rotate(identity, adding: count, now: now) else { return }
    latestRotation = outcome
    switch outcome {
    case .rotated, .replaced: try? reopen()
    case .failed, .notDue, .postponed: break
    }
  }

  /// Takes the result of the last rotation, and the reports about the file.
  mutating func takeNews() -> FileNews {
    defer { (latestRotation, oddity, damagedLines) = (nil, nil, 0) }
    return FileNews(
      rotation: latestRotation, trouble: turn.takeTrouble(), oddity: oddity, damaged: damagedLines)
  }

  /// Notes as drained which lines of a write that was cut short stand in the file; how many bytes
  /// of the next line stand at its very end, and where that is.
  ///
  /// What is found is drained, and then a new intent says the rest: a search begins at the first
  /// line that waits, behind those that were found. A process that is killed between the two leaves
  /// no intent at worst, when nothing but the rest is to be written.
  private func settle(
    _ lines: LineQueue, _ intent: LineQueue.Intent, _ batch: inout LineBatch
  ) -> (torn: Int, end: Int) {
    guard let file = file(intent.identity) else { return (0, 0) }
    defer { file.close() }
    // Truncated meanwhile, from its new beginning.
    var place = intent.size <= (file.size ?? 0) ? intent.size : 0
    while lines.start < intent.until {
      lines.gather(&batch, until: intent.until, room: .max)
      if batch.isEmpty {
        // What stands behind a damaged line may be there all the same; passing over it is the
        // drain's.
        return (0, 0)
      }
      let found = BatchSearch(for: batch.bytes, in: file, from: place)
      let (next, count) =
        found.whole == batch.bytes.count
        ? (batch.end, batch.lines) : lines.place(after: found.whole, until: intent.until)
      if found.whole > 0 {
        place = found.end
        lines.note(drained: next, lines: count)
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
    let start = max(0, size - 4 * lines.capacity)
    lines.intend(identity, size: start, from: lines.start, until: lines.end)
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
  /// How many lines were damaged while they waited.
  let damaged: Int
}
