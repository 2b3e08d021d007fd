// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// The buffer file of a ``LineQueue``. This type makes the file, and finds it again after its owner
/// has died.
///
/// The name begins with a dot and does not contain the log's name, so that programs that ship logs
/// ignore the buffer. The file is locked as long as its owner lives.
struct BufferFile: Sendable {
  /// The absolute path of the file that the lines are for.
  let target: String
  let folder: String
  /// The beginning of the paths of the file's buffers.
  private let beginning: String

  static let suffix = ".buffer"
  static let header = RingHeader(
    magic: Array("AmbLines".utf8), version: 2, capacities: 4_096...(1 << 30))

  /// Describes the buffers of the file `target`, which are in `folder`, or beside the file if
  /// `folder` is nil.
  init(target: String, folder: String?) {
    self.target = target
    let place = FileSystem.split(target)
    self.folder = folder ?? place.folder
    // For a buffer beside the file, only the file's name is hashed, so that the buffer is still
    // found after the folder was moved.
    let key = folder == nil ? place.name : target
    beginning = FileSystem.path(".ambient-\(Self.hash(of: key))-", in: self.folder)
  }

  /// A hash of a path or a name (FNV-1a), for the names of buffers.
  static func hash(of name: String) -> String {
    let bytes = Array(name.utf8)
    return String(ambient_mix(ambient_mix_start, bytes, bytes.count), radix: 16)
  }

  /// Makes a queue with room for `capacity` bytes, a power of two; returns it and its file's path.
  func make(capacity: Int) throws(SystemError) -> (lines: LineQueue, path: String) {
    // A recovery may mistake the new file for the buffer of a dead writer, and lock the file before
    // this function does. The queue is then made in another new file.
    for _ in 0..<10 {
      let number = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = "\(beginning)\(number)\(Self.suffix)"
      guard let file = try MappedRing.newFile(path, capacity) else { continue }
      do throws(SystemError) {
        try Self.header.write(to: file.safe, capacity: capacity, path: target)
        return (LineQueue(try MappedRing(mapping: file, capacity: capacity)), path)
      } catch {
        Self.remove(path)
        throw error
      }
    }
    throw .busy
  }

  /// The reason to move the lines to another file than the one at `path`; nil if there is none.
  static func trouble(of lines: LineQueue, at path: String) -> String? {
    lines.ring.trouble(at: path).map { text(of: $0, path) }
  }

  static func text(of trouble: MappedRing.Trouble, _ path: String) -> String {
    switch trouble {
    case .lostPages: "its buffer “\(path)” was truncated, or the disk failed"
    case .removed: "its buffer “\(path)” was removed"
    }
  }

  /// Moves the lines to a successor (``MappedRing/successor(of:_:permissions:)``), after their own
  /// file was removed or lost pages. No other thread may append or drain meanwhile.
  ///
  /// - Parameter lost: The number of dropped lines that the log does not mention yet.
  func renew(
    _ lines: LineQueue, in successor: OwnedDescriptor, at path: String, lost: Int
  ) throws(SystemError) {
    try lines.ring.move(to: successor, at: path) { file throws(SystemError) in
      try Self.header.write(
        to: file, capacity: lines.ring.capacity, start: lines.ring.start, end: lines.ring.end,
        path: target, lost: lost, intent: lines.intent ?? ambient_intent())
    }
  }

  /// Returns the paths of all buffers of `target`, whether their owners are alive or dead.
  func paths() throws(BufferError) -> [String] {
    let paths = try attempt(
      nilIfMissing(FileSystem.paths(in: folder)), or: BufferError.unreadable(folder))
    return (paths ?? []).filter { $0.hasPrefix(beginning) && $0.hasSuffix(Self.suffix) }.sorted()
  }

  /// Returns a function that tells whether a living process has a buffer of the file at a path. The
  /// buffer may be beside the file, in `folder`, or in `bufferFolder`. The function knows the
  /// buffers that exist now.
  static func living(in folder: String, _ bufferFolder: String?) -> (String) -> Bool {
    let folders = [folder] + (bufferFolder.map { [$0] } ?? [])
    let paths = folders.flatMap { (try? FileSystem.paths(in: $0)) ?? [] }
    return { target in
      [nil, bufferFolder].contains { place in
        let buffer = BufferFile(target: target, folder: place)
        return paths.contains {
          $0.hasPrefix(buffer.beginning) && $0.hasSuffix(suffix) && isInUse($0)
        }
      }
    }
  }

  /// Whether the buffer is locked; also true if it cannot be locked for another reason.
  private static func isInUse(_ path: String) -> Bool {
    do throws(SystemError) { return try FileLock.take(path) == nil } catch {
      return !error.isMissing
    }
  }

  /// The contents of a buffer whose owner, the process that wrote it, has died. Returns nil if the
  /// file is missing or unfinished, if the owner lives, or if another process is recovering the
  /// buffer.
  func orphan(at path: String) throws(BufferError) -> Orphan? {
    let unreadable = BufferError.unreadable(path)
    let opened = try attempt(nilIfMissing(FileDescriptor.existing(path, toWrite: true))) { error in
      error.isOfNoFile ? .foreign(path: path) : unreadable(error)
    }
    guard let opened else { return nil }
    let owner = OwnedDescriptor(opened, isLock: true)
    let file = owner.unchecked
    guard isOurs(file) else { throw .foreign(path: path) }
    // Another process may hold the lock for a moment, to find out whether the owner lives.
    let isLocked = try attempt(
      SystemThread.wait(atMost: .milliseconds(20)) { () throws(SystemError) in try file.lock() },
      or: unreadable)
    guard isLocked, !file.isRemoved else { return nil }
    guard let contents = try contents(of: file, at: path) else {
      // The buffer has no lines: its owner died while it made the buffer, or is alive and has yet
      // to lock the file. The file is removed before it is unlocked here, so that a living owner
      // finds it removed.
      Self.remove(path)
      return nil
    }
    do throws(SystemError) {
      // Extends a shortened file before it is mapped: touching its missing pages would raise
      // SIGBUS.
      try owner.safe.allocate(RingHeader.size + contents.capacity)
      if !contents.faults.isEmpty {
        try Self.header.write(to: owner.safe, capacity: contents.capacity, start: nil)
      }
      let lines = LineQueue(try MappedRing(mapping: owner, capacity: contents.capacity))
      // Valid: the ring was mapped just now, and each pattern of bits is a value of these types.
      // `adopt` checks the intent, and `ambient_unsealed` checks the count of lost lines.
      let (intent, lost) = (lines.ring.header.pointee.intent, lines.ring.header.pointee.lost)
      // After a loss of power, the header's positions may be older than the lines in the ring.
      // `find` therefore searches the whole ring.
      lines.ring.find(start: contents.start, end: contents.end)
      lines.adopt(intent)
      let isUncounted = contents.start == nil && lines.intent == nil
      if isUncounted {
        // `find` has stored a mere guess in `drained`. If this recovery is killed before it has
        // stored an intent for all lines, the next recovery must not trust the guess, because it
        // could write lines twice. The upper bits of a stored count are a check of the lower bits,
        // and the check of `.max` is wrong. So the next recovery ignores `drained`.
        lines.ring.header.pointee.drained = .max
        lines.ring.header.pointee.drained_again = .max
      }
      return Orphan(
        lines: lines, lost: Int(exactly: ambient_unsealed(lost)) ?? 0, isUncounted: isUncounted,
        faults: contents.faults)
    } catch {
      throw unreadable(error)
    }
  }

  /// Whether the file is this user's alone. For root, also whether it belongs to the owner of its
  /// folder: a program that gave up root's privileges left it there.
  private func isOurs(_ file: FileDescriptor) -> Bool {
    let owner = FileDescriptor.status(at: folder)?.st_uid
    return file.isOursAlone || geteuid() == 0 && file.isAlone && file.status?.st_uid == owner
  }

  private func contents(
    of file: FileDescriptor, at path: String
  ) throws(BufferError) -> RingHeader.Contents? {
    let contents: RingHeader.Contents?
    do throws(RingHeader.Fault) {
      contents = try Self.header.read(file, wanted: Self.header.capacities.lowerBound)
    } catch {
      switch error {
      case .foreign(let reason): throw .damaged(path: path, reason: reason)
      case .otherVersion(let version):
        throw .unreadable(
          path: path,
          reason: "unknown format \(version); open it with the version of Ambient that wrote it")
      case .unreadable(let error): throw .unreadable(path: path, reason: error.description)
      }
    }
    if contents != nil, let size = file.size, size <= RingHeader.size {
      // A file this short cannot contain a line. `BufferRecovery` puts a damaged buffer aside, so
      // that people can look at it.
      throw .damaged(path: path, reason: "it has only \(size) bytes")
    }
    return contents
  }

  /// The number of damaged buffers that are kept.
  static var mostDamaged: Int { 4 }

  /// Renames a damaged buffer, so that people can look at it and no recovery finds it again. If
  /// there are then more than ``mostDamaged``, removes the oldest.
  func putAside(_ path: String) {
    // No other buffer has this name, which contains a random number.
    try? FileSystem.overwrite("\(path).damaged", by: path)
    let damaged = ((try? FileSystem.paths(in: folder)) ?? [])
      .filter { $0.hasPrefix(beginning) && $0.hasSuffix(".damaged") }
    guard damaged.count > Self.mostDamaged else { return }
    func age(_ path: String) -> Date { (try? FileStatus(at: path))?.modified ?? .distantPast }
    if let oldest = damaged.min(by: { age($0) < age($1) }) { Self.remove(oldest) }
  }

  static func remove(_ path: String) { try? FileSystem.remove(path) }
}
