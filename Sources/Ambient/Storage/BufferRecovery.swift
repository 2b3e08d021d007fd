// SPDX-License-Identifier: Apache-2.0

/// Moves lines from the buffers of a log file to the file, after the processes that wrote the lines
/// have ended. Each line is moved exactly once.
struct BufferRecovery {
  /// The number of intact lines that were found in the buffers, and are in the file now.
  private(set) var lines = 0
  /// The number of lines that the ended processes had dropped without a notice in the log.
  private(set) var lost = 0
  /// The faults that were found, at most one for each buffer.
  private(set) var faults: [BufferError] = []

  /// Recovers all buffers of the file at the absolute path `target`.
  ///
  /// - Parameter source: The log or the analytics that reports name.
  // Two callers would inline it, which adds 1.4 kB to a program.
  @inline(never)
  init(
    of target: String, _ options: FileOptions, _ rotation: ScopedRotation? = nil, source: String
  ) {
    let place = BufferFile(target: target, folder: options.bufferFolder)
    let paths: [String]
    do throws(BufferError) {
      paths = try place.paths()
    } catch {
      faults.append(error)
      return
    }
    for path in paths {
      do throws(BufferError) {
        if let orphan = try place.orphan(at: path) {
          try bring(orphan, at: path, to: target, options, rotation, source)
        }
      } catch {
        if error.code == .damaged { place.putAside(path) }
        faults.append(error)
      }
    }
  }

  /// Recovers all buffers of the log file at `path`, without creating a log that writes to it.
  ///
  /// - Returns: The number of intact lines that were found in the buffers.
  /// - Throws: The first fault, after the lines of all buffers without a fault were moved to the
  ///   log file.
  static func run(
    path: String, _ bufferFolder: String?, _ permissions: UInt16?, source: String
  ) throws(BufferError) -> Int {
    if let fault = SystemError.fault(of: path) { throw BufferError.unreadable(path)(fault) }
    var options = FileOptions(bufferFolder: bufferFolder, permissions: permissions)
    if let fault = options.fault {
      throw .unreadable(path: path, reason: "\(fault.reason); \(fault.advice)")
    }
    options.bufferFolder = bufferFolder.map(FileSystem.absolute)
    let source = "\(source) \(path)"
    let recovery = BufferRecovery(of: FileSystem.absolute(path), options, source: source)
    recovery.tellLoss(source)
    if let fault = recovery.faults.first { throw fault }
    return recovery.lines
  }

  /// Reports the number of lines that ended processes had dropped.
  func tellLoss(_ source: String) {
    guard lost > 0 else { return }
    Diagnostics.report(.writeFailed, source: source, Self.text(ofLoss: lost))
  }

  static func text(ofLoss lost: Int) -> String {
    """
    an earlier process dropped \(lost.with("line")) because its buffer was full, without reporting it.
    """
  }

  private mutating func bring(
    _ orphan: Orphan, at path: String, to target: String, _ options: FileOptions,
    _ rotation: ScopedRotation?, _ source: String
  ) throws(BufferError) {
    let lines = orphan.lines
    var damaged = 0
    do throws(SystemError) {
      let now = rotation?.now
      let rotator = rotation?.rotator(for: target, options.permissions, source: source)
      var file = OpenFile(
        path: target, options, try OpenFile.open(target, options.permissions), rotator)
      guard lines.claim() else { throw .busy }
      defer {
        lines.release()
        // Removes the lock's file, too.
        file.close()
      }
      if orphan.isUncounted { file.lookForAll(of: lines) }
      // If the lines cannot be written now, for example because the disk is full, they stay in the
      // buffer. The next opening of the file recovers them.
      let drained = file.drain(lines, until: lines.ring.end, now)
      self.lines += lines.drained
      if let error = drained.error ?? file.synchronize(atOnce: true) { throw error }
      damaged = drained.damaged
    } catch {
      throw .unwritten(path: path, file: target, reason: error.description)
    }
    lost += orphan.lost
    guard damaged == 0, orphan.faults.isEmpty else {
      let faults = orphan.faults + (damaged > 0 ? ["lines were changed (at least \(damaged))"] : [])
      throw .damaged(path: path, reason: faults.joined(separator: ", "))
    }
    // Removes the buffer, and the unfinished successor that its owner may have left, while `lines`
    // still holds the buffer's lock.
    withExtendedLifetime(lines) { ["\(path).new", path].forEach(BufferFile.remove) }
  }
}

/// The contents of a buffer whose process has ended.
struct Orphan {
  let lines: LineQueue
  /// The number of lines that the process had dropped without a notice in the log.
  let lost: Int
  /// Whether the buffer no longer shows which of its lines the process had written to the log. If
  /// so, the log is searched for each line in the ring.
  let isUncounted: Bool
  /// Descriptions of damage to the buffer, for reports.
  let faults: [String]
}
