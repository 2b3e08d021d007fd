internal import CAmbient

/// The lock (flock(2)) by which the writers of one file take turns.
///
/// A file of its own beside the log, since any reader of a log can lock that and stop its writers.
/// It has the log's write permissions and no others, so that only writers can open it. It is made
/// at its first use, and stays.
struct WriterTurn: ~Copyable {
  /// Whether the lock is held; without it, lines are written all the same.
  private(set) var isHeld = false
  /// Of the file that is written: without links, so that all of its names lead to one lock.
  private let target: String
  private let bufferFolder: String?
  private var file: FileDescriptor?
  private var path = ""
  /// Of which fork of the process the open file is: in another it was closed.
  private let forks = Forks.count
  /// When it was last looked whether the path still is the open file.
  private var latestLook = -1
  /// Since when each try was vain.
  private var vainSince: Duration?
  private var nextWait = Duration.zero
  private var hasTold = false

  /// How long the lock is waited for: longer than a batch takes, shorter than the room in a buffer
  /// lasts.
  private static var wait: Int { 20 }
  /// For how long there is no other wait after a vain one.
  private static var pause: Duration { .seconds(5) }
  /// After which time of vain tries that is told.
  private static var patience: Duration { .seconds(3) }

  init(for target: String, bufferFolder: String?) {
    self.target = target
    self.bufferFolder = bufferFolder
  }

  deinit { if let file, forks == Forks.known { file.giveUp() } }

  /// Closes the lock's file; it is opened again when it is needed.
  mutating func close() {
    file?.giveUp()
    file = nil
    isHeld = false
    latestLook = -1
  }

  /// Takes the lock, if it is free soon; returns what keeps it from that, once.
  ///
  /// - Parameter log: The file that is written.
  mutating func take(for log: FileDescriptor) -> String? {
    guard let trouble = tryToTake(log), !hasTold else { return nil }
    hasTold = true
    return trouble
  }

  private mutating func tryToTake(_ log: FileDescriptor) -> String? {
    let trouble = look(log)
    guard let file else { return trouble }
    do throws(SystemError) {
      let now = SystemClock.monotonic()
      var tries = now >= nextWait ? Self.wait : 0
      while try !file.lock() {
        if tries == 0 { return noteVain(now) }
        tries -= 1
        SystemThread.sleep(.milliseconds(1))
      }
      isHeld = true
      vainSince = nil
      return nil
    } catch {
      // A file system without locks.
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

  /// Whether another process holds the lock, and has not done so for long.
  var isTaken: Bool {
    guard !isHeld, let vainSince else { return false }
    return SystemClock.monotonic() - vainSince < Self.patience
  }

  mutating func release() {
    if isHeld { file?.unlock() }
    isHeld = false
  }

  /// Opens the lock's file if none is open, or another has its path; once a second.
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
    // By itself, too, as the file may be gone just now.
    folder = FileSystem.resolved(folder)
    var places = ["\(folder)/.ambient-\(BufferFile.hash(of: name)).turn"]
    if let bufferFolder {
      places.append("\(bufferFolder)/.ambient-\(BufferFile.hash(of: "\(folder)/\(name)")).turn")
    }
    var reason = SystemError.unsupported
    for place in places {
      do throws(SystemError) {
        let opened = try FileDescriptor.turn(place, like: status)
        opened.closeInForks()
        (file, path) = (opened, place)
        return nil
      } catch {
        reason = error
      }
    }
    return """
      cannot open “\(places[places.count - 1])”, the lock of those who write the file: \(reason). Lines are \
      written whole, without a lock; choose a bufferFolder.
      """
  }
}
