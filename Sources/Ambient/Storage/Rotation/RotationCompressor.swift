// SPDX-License-Identifier: Apache-2.0

/// A compressor of archives, which compresses one at a time on a separate thread.
///
/// The compressor holds the rotation's lock while `gzip` works on a file, and the child process
/// inherits the lock. So no process renames a file while `gzip` reads it, even if `gzip` outlives
/// its parent. Without the lock, another process could rename a different file to the same path,
/// and `gzip` would remove that file when it has finished.
final class RotationCompressor: Sendable {
  struct Settings: Sendable {
    /// The time for which a file must not have changed before it is compressed, because other
    /// processes may still write a line to it.
    var rest = Duration.seconds(2)
    /// The command, to which the file's path is appended. `-f` lets `gzip` overwrite the partial
    /// file of an interrupted compression.
    var command = ["gzip", "-f"]
    /// The maximum number of waits for files that still change. Files that change even after these
    /// waits stay uncompressed until the next rotation.
    var patience = 30
  }

  private struct State {
    var isRunning = false
    var isAskedAgain = false
    var isReported = false
  }

  private let files: RotatedFiles
  private let source: String
  private let settings: Settings
  private let state = Guarded(State())

  init(_ files: RotatedFiles, source: String, _ settings: Settings) {
    self.files = files
    self.source = source
    self.settings = settings
  }

  /// Starts the thread if an earlier process left a file to compress.
  func startIfNeeded() {
    let left = (try? files.all()) ?? []
    if left.contains(where: \.isPlain) { start() }
  }

  /// Whether the thread runs, and so holds the rotation's lock from time to time.
  var isAtWork: Bool { state.withLock { $0.isRunning } }

  /// Starts the thread that looks for files to compress, and returns at once.
  func start() {
    let isNew = state.withLock { state in
      state.isAskedAgain = state.isRunning
      return state.isRunning.turnOn()
    }
    guard isNew else { return }
    // Reports go to the diagnostics of the scope in which the caller rotates.
    let scope = AmbientScope.capture()
    let caller = SystemThread.current
    SystemThread.start { [self] in
      // If no thread could be started, `SystemThread.start` calls this closure on the caller's
      // thread. Compression is then left until the next rotation.
      if SystemThread.current == caller { return state.withLock { $0.isRunning = false } }
      ChildProcess.yieldToOthers()
      repeat { work(scope) } while isAskedAgain()
    }
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      state.isRunning = state.isAskedAgain
      state.isAskedAgain = false
      return state.isRunning
    }
  }

  private enum Step { case done, again, wait }

  private func work(_ scope: AmbientScope) {
    var seen: [FileDescriptor.Identity: FileStatus] = [:]
    var failed: Set<FileDescriptor.Identity> = []
    var looks = 0
    while looks < settings.patience {
      var trouble: String?
      let step = compressNext(&seen, &failed, &trouble)
      // The failure is reported after `compressNext` has released the lock, because the report
      // calls the program's handler of `Diagnostics`.
      if let trouble { report(trouble, scope) }
      switch step {
      case .done: return
      case .again: break
      case .wait:
        looks += 1
        SystemThread.sleep(settings.rest)
      }
    }
  }

  /// Compresses the oldest archive that has not changed since the last look, if there is one.
  private func compressNext(
    _ seen: inout [FileDescriptor.Identity: FileStatus],
    _ failed: inout Set<FileDescriptor.Identity>, _ trouble: inout String?
  ) -> Step {
    // This thread may wait for the lock, because no caller waits for this thread. Another process
    // that holds the lock for longer compresses the files itself.
    guard let lock = try? files.lock(patience: .seconds(10)),
      let all = try? files.all()
    else { return .done }
    var step = Step.done
    for file in all where file.isPlain {
      let path = files.path(file.name)
      // The file is identified by its inode, because other processes may rename it meanwhile.
      guard let status = try? FileStatus(at: path), !failed.contains(status.identity) else {
        continue
      }
      if seen.updateValue(status, forKey: status.identity) == status {
        if !compress(path, lock.file, &trouble) { failed.insert(status.identity) }
        step = .again
        break
      }
      step = .wait
    }
    lock.release()
    return step
  }

  /// Runs the command on the file, and returns whether the file was compressed. The command removes
  /// the original only if it succeeds.
  private func compress(_ path: String, _ lock: FileDescriptor, _ trouble: inout String?) -> Bool {
    do throws(SystemError) {
      try ChildProcess.run(settings.command + [path], keeping: lock)
    } catch {
      trouble = Self.text(ofUnstarted: settings.command[0], error)
      return false
    }
    if !FileSystem.exists(path) { return true }
    trouble = Self.text(ofFailed: settings.command[0], path)
    return false
  }

  static func text(ofUnstarted command: String, _ error: SystemError) -> String {
    """
    cannot start \(command): \(error). Archives stay uncompressed; install the command, or rotate \
    without compression.
    """
  }

  static func text(ofFailed command: String, _ path: String) -> String {
    "\(command) cannot compress “\(path)”; the file stays uncompressed."
  }

  /// Reports only the first failure. Further failures are not worth a report: a file that cannot be
  /// compressed stays as it is, and loses nothing.
  private func report(_ trouble: String, _ scope: AmbientScope) {
    guard state.withLock({ $0.isReported.turnOn() }) else { return }
    scope.run { Diagnostics.report(.rotation, source: source, trouble) }
  }
}
