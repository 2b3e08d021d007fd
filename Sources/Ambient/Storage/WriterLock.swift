// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The lock (flock(2)) by which the writers of one file take turns.
///
/// The lock is a separate file, beside the log if possible. If the writers locked the log itself,
/// any user who may read the log could hold that lock, and so delay the writers. Only users who may
/// write the log can open the lock's file. A writer opens the file for each turn, so no descriptor
/// stays open. A writer that closes removes the file if no other user may use it.
struct WriterLock: ~Copyable {
  /// The path of the log. It is resolved before use, so that all names of the log lead to one lock.
  private let target: String
  private let bufferFolder: String?
  private var held: FileLock?
  /// The paths at which the lock may be, the preferred one first, and the second in which they were
  /// resolved.
  private var paths: [String] = []
  private var latestLook = -1
  /// The path of the lock that was held last.
  private var path: String?
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

  /// Whether this writer holds the lock. It writes lines even without the lock.
  var isHeld: Bool { held != nil }

  /// Takes the lock. While another writer holds it, tries again each millisecond until `wait` is
  /// over, and at least 20 times, so that on a busy machine it waits longer. If locking is
  /// impossible, or if the attempts have failed for as long as `patience`, returns the reason, but
  /// only once.
  ///
  /// - Parameter log: The status of the log, whose owner, group and writers a new lock gets.
  mutating func take(for log: stat) -> String? {
    guard let trouble = tryToTake(log), hasTold.turnOn() else { return nil }
    return trouble
  }

  private mutating func tryToTake(_ status: stat) -> String? {
    resolve()
    let mode = FileLock.mode(for: UInt16(status.st_mode & 0o777))
    let now = SystemClock.monotonic()
    let (wait, tries) = now < nextWait ? (Duration.zero, 1) : (Self.wait, 20)
    var trouble: String?
    for path in paths {
      do throws(SystemError) {
        let taken = try FileLock.take(path, mode: mode, patience: wait, tries: tries)
        guard let taken else { return noteVain(path, now) }
        taken.file.setOwner(like: status)
        held = consume taken
        self.path = path
        vainSince = nil
        return nil
      } catch {
        // The lock's file cannot be opened or locked at all. If another process merely holds the
        // lock, there is no error. A folder that is missing is made again with the log's file.
        if error.isMissing { continue }
        trouble = Self.text(ofFailure: error, path)
      }
    }
    return trouble
  }

  /// Finds the paths of the lock, at most once a second.
  private mutating func resolve() {
    let second = SystemClock.coarse()
    if second == latestLook { return }
    latestLook = second
    var (folder, name) = FileSystem.split(FileSystem.resolved(target))
    // The folder is also resolved on its own, because `FileSystem.resolved` returns the path of a
    // missing file unresolved.
    folder = FileSystem.resolved(folder)
    var places = [(folder, name)]
    if let bufferFolder { places.append((bufferFolder, "\(folder)/\(name)")) }
    // Neither the hashed texts nor the suffix may change: programs with other versions of Ambient
    // lock the same file.
    paths = places.map { folder, key in
      FileSystem.path(".ambient-\(BufferFile.hash(of: key)).turn", in: folder)
    }
  }

  private mutating func noteVain(_ path: String, _ now: Duration) -> String? {
    if now >= nextWait { nextWait = now + Self.pause }
    let since = vainSince ?? now
    vainSince = since
    guard now - since >= Self.patience else { return nil }
    return Self.text(ofWait: now - since, path)
  }

  static func text(ofFailure error: SystemError, _ path: String) -> String {
    """
    cannot lock “\(path)”, with which the file's writers take turns: \(error). Lines are written \
    whole, without the lock; choose a bufferFolder.
    """
  }

  static func text(ofWait wait: Duration, _ path: String) -> String {
    """
    other processes have held the lock “\(path)” for \(wait.components.seconds) s; lines are \
    written and files rotated without it. End stuck processes.
    """
  }

  /// Whether the last attempt found the lock held by another process, and the attempts have failed
  /// for less than `patience`.
  var isTaken: Bool {
    guard !isHeld, let vainSince else { return false }
    return SystemClock.monotonic() - vainSince < Self.patience
  }

  mutating func release() { held = nil }

  /// Removes the lock's file, unless another writer holds the lock. A later turn makes a new file:
  /// the lock is taken only on the file that is at the path.
  ///
  /// A file that other users may use stays: they may not be allowed to make another.
  mutating func remove() {
    guard let path, let lock = try? FileLock.take(path),
      lock.file.status.map({ $0.st_mode & 0o077 == 0 }) == true
    else { return }
    try? FileSystem.remove(path)
    lock.release()
    self.path = nil
  }
}
