/// Brings the lines that dead writers left in their buffers to their file, each exactly once.
struct BufferRecovery {
  /// How many lines were brought there.
  private(set) var lines = 0
  /// How many lines those writers had dropped without a word in the log.
  private(set) var lost = 0
  /// What could not be brought there.
  private(set) var faults: [BufferFault] = []

  /// Recovers all buffers of the file, which has that absolute path.
  init(of target: String, _ options: FileOptions, _ rotation: Rotation? = nil) {
    let place = BufferFile(target: target, folder: options.bufferFolder)
    for path in place.paths() {
      do throws(BufferFault) {
        if let orphan = try place.orphan(at: path) {
          try bring(orphan, at: path, to: target, options, rotation)
        }
      } catch {
        if case .damaged = error { place.putAside(path) }
        faults.append(error)
      }
    }
  }

  /// Reports what writers that died had dropped.
  func tellLoss(_ source: String) {
    guard lost > 0 else { return }
    Diagnostics.report(
      Diagnostic(
        .writeFailed, source: source,
        "a process that died had lost \(lost) lines, for which there was no room in its buffer."))
  }

  private mutating func bring(
    _ orphan: Orphan, at path: String, to target: String, _ options: FileOptions,
    _ rotation: Rotation?
  ) throws(BufferFault) {
    let lines = orphan.lines
    var damaged = 0
    do throws(SystemError) {
      let now = rotation?.now
      let rotator = rotation?.rotator(
        for: target, options.permissions, source: "FileLog \(target)")
      var file = OpenFile(
        path: target, options, try OpenFile.open(target, options.permissions), rotator)
      if orphan.isUncounted { file.lookForAll(of: lines) }
      self.lines += lines.count
      // In a file that is full or stuck they stay; the next opening looks again which are there.
      if let error = file.drain(lines, until: lines.ring.end, now) { throw error }
      if let error = file.synchronize(atOnce: true) { throw error }
      damaged = file.takeNews().damaged
    } catch {
      throw .unwritten(path: path, file: target, reason: error.description)
    }
    lost += orphan.lost
    guard damaged == 0, orphan.faults.isEmpty else {
      let faults = orphan.faults + (damaged > 0 ? ["\(damaged) lines at least were changed"] : [])
      throw .damaged(path: path, reason: faults.joined(separator: ", "))
    }
    // Under the lock that the ring keeps.
    withExtendedLifetime(lines) { BufferFile.removeAll(of: path) }
  }
}

/// What a writer that died left in its buffer.
struct Orphan {
  let lines: LineQueue
  /// How many lines it had dropped without a word in the log.
  var lost = 0
  /// Whether the count of what stands in the log was lost: then all lines that the ring still holds
  /// are looked for there.
  var isUncounted = false
  /// What was not as it was written, for people.
  var faults: [String] = []
}
