/// The lock (flock(2)) by which the writers of one file take turns.
///
/// The lock is a separate file, beside the log if possible. If the writers locked the log itself,
/// any user who may read the log could hold that lock, and so delay the writers. The lock's file
/// has the log's write permissions and no others, so only users who may write the log can open it.
/// The file is made at its first use, and never removed.
struct WriterLock: ~Copyable {
  /// Whether this writer holds the lock. It writes lines even without the lock.
  private(set) var isHeld = false
  /// The path of the log. It is resolved before use, so that all names of the log lead to one lock.
  private let target: String
  private let bufferFolder: String?
  private var file: FileDescriptor?
  private var path = ""
  /// The count of forks when this lock was made. In a child that is forked later, the count is
  /// higher and the file is already closed, so `deinit` must not close it.
  private let forks = Forks.count
  /// The time, in whole seconds, at which `path` was last compared with the open file.
  private var latestLook = -1
  /// The time of the first failed attempt to take the lock since this process last held it.
  private var vainSince: Duration?
  private var nextWait = Duration.zero
  private var hasTold = false

  /// The time to wait for the lock. It is longer than another writer holds the lock to write one
  /// batch of lines, but shorter than this writer's buffer takes to fill.
  private static var wait: Duration { .milliseconds(20) }
  /// The time for which further attempts return at once, instead of waiting, after a failed wait.
  private static var pause: Duration { .seconds(5) }
  /// The time for which attempts must fail before the failure is reported.
  private static var patience: Duration { .seconds(3) }

  init(for target: String, bufferFolder: String?) {
    self.target = target
    self.bufferFolder = bufferFolder
  }

  deinit { if let file, forks == Forks.known { file.giveUp() } }

  /// Closes the lock's file. The next use of the lock opens the file again.
  mutating func close() {
    file?.giveUp()
    file = nil
    isHeld = false
    latestLook = -1
  }

  /// Takes the lock. While another writer holds it, tries again each millisecond until `wait` is
  /// over, and at least 20 times, so that on a busy machine it waits longer. If locking is
  /// impossible, or if the attempts have failed for as long as `patience`, returns the reason, but
  /// only once.
  ///
  /// - Parameter log: The open log, whose permissions a new lock gets.
  mutating func take(for log: FileDescriptor) -> String? {
    guard let trouble = tryToTake(log), hasTold.turnOn() else { return nil }
    return trouble
  }

  private mutating func tryToTake(_ log: FileDescriptor) -> String? {
    let trouble = look(log)
    guard let file else { return trouble }
    do throws(SystemError) {
      let now = SystemClock.monotonic()
      let waits = now >= nextWait
      isHeld = try SystemThread.wait(atMost: waits ? Self.wait : .zero, tries: waits ? 20 : 1) {
        () throws(SystemError) in try file.lock()
      }
      guard isHeld else { return noteVain(now) }
      vainSince = nil
      return nil
    } catch {
      // Locking itself failed, for example because the file system has no locks. For a lock that is
      // merely held by another process, `lock()` returns false.
      return "cannot lock “\(path)”: \(error). Lines are written whole, without a lock."
    }
  }

  private mutating func noteVain(_ now: Duration) -> String? {
    if now >= nextWait { nextWait = now + Self.pause }
    let since = vainSince ?? now
    vainSince = since
    guard now - since >= Self.patience else { return nil }
    return """
      other processes have held “\(path)” at each try for \((now - since).components.seconds) s: lines \
      are written without that lock, and rotations do not wait for it
      """
  }

  /// Whether the last attempt found the lock held by another process, and the attempts have failed
  /// for less than `patience`.
  var isTaken: Bool {
    guard !isHeld, let vainSince else { return false }
    return SystemClock.monotonic() - vainSince < Self.patience
  }

  mutating func release() {
    if isHeld { file?.unlock() }
    isHeld = false
  }

  /// Opens the lock's file if it is not open, or if its path now leads to another file. This is
  /// checked at most once a second.
  private mutating func look(_ log: FileDescriptor) -> String? {
    let second = SystemClock.coarse()
    if second == latestLook { return nil }
    latestLook = second
    if let file {
      if let identity = file.identity, FileDescriptor.identity(at: path) == identity { return nil }
      file.giveUp()
      self.file = nil
    }
    guard let status = log.status else { return nil }
    var (folder, name) = FileSystem.split(FileSystem.resolved(target))
    // The folder is also resolved on its own, because `FileSystem.resolved` returns the path of a
    // missing file unresolved.
    folder = FileSystem.resolved(folder)
    // Neither the hashed texts nor the suffix may change: programs with other versions of Ambient
    // lock the same file.
    var places = [(folder, name)]
    if let bufferFolder { places.append((bufferFolder, "\(folder)/\(name)")) }
    var reason = SystemError.unsupported
    for (folder, key) in places {
      path = FileSystem.path(".ambient-\(BufferFile.hash(of: key)).turn", in: folder)
      do throws(SystemError) {
        let opened = try FileDescriptor.lockFile(path, like: status)
        opened.closeInForks()
        file = opened
        return nil
      } catch {
        reason = error
      }
    }
    return """
      cannot open “\(path)”, the lock that the file's writers share: \(reason). Lines are \
      written whole, without a lock; choose a bufferFolder.
      """
  }
}
