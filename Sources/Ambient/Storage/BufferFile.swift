internal import CAmbient

/// The file of a ``LineQueue``: how it is made, and found again when its owner has died.
///
/// Its name begins with a dot and says nothing of the log's, so that what ships logs leaves it
/// alone. It is locked as long as its owner lives.
struct BufferFile: Sendable {
  /// The absolute path of the file that the lines are for.
  let target: String
  let folder: String
  private let stem: String

  static let suffix = ".buffer"
  /// Version 1 is what ``FormerBuffer`` reads.
  static let header = RingHeader(
    magic: Array("AmbLines".utf8), version: 2, capacities: 4_096...(1 << 30))

  /// Buffers of that file, in that folder or beside it.
  init(target: String, folder: String?) {
    self.target = target
    let place = FileSystem.split(target)
    self.folder = folder ?? place.folder
    // Beside the file its name is enough, so that a folder may be moved.
    let key = folder == nil ? place.name : target
    stem = ".ambient-\(Self.hash(of: key))-"
  }

  /// What stands for a path or a name (FNV-1a).
  static func hash(of name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }

  /// Makes a queue of that many bytes, a power of two, and the file that it is.
  func make(capacity: Int) throws(SystemError) -> (lines: LineQueue, path: String) {
    // Once more if a recovery has locked it first, which takes it for what a dead writer left.
    for _ in 0..<10 {
      let path =
        "\(folder)/\(stem)\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.suffix)"
      if let lines = try Self.make(path, for: target, capacity: capacity) { return (lines, path) }
    }
    throw .unsupported
  }

  /// Makes a queue of that many bytes at that path; nil if another process locked the file first.
  static func make(
    _ path: String, for target: String, capacity: Int
  ) throws(SystemError) -> LineQueue? {
    guard let file = try new(path, capacity) else { return nil }
    do throws(SystemError) {
      try header.write(to: file, capacity: capacity, path: target)
      return LineQueue(try MappedRing(mapping: file, capacity: capacity))
    } catch {
      file.giveUp()
      remove(path)
      throw error
    }
  }

  /// Makes a locked file for a ring of that many bytes; nil if another process locked it first.
  static func new(_ path: String, _ capacity: Int) throws(SystemError) -> FileDescriptor? {
    let file = try FileDescriptor.new(path)
    file.closeInForks()
    do throws(SystemError) {
      guard file.lockAtOnce(), !file.isRemoved else {
        file.giveUp()
        remove(path)
        return nil
      }
      if file.isRemote { throw .unsupported }
      try file.allocate(RingHeader.size + capacity)
      return file
    } catch {
      file.giveUp()
      remove(path)
      throw error
    }
  }

  /// Why the lines must go on in another file than the one at that path; nil if they need not.
  static func trouble(of lines: LineQueue, at path: String) -> String? {
    if lines.ring.isDamaged {
      return "pages of its buffer “\(path)” were lost, since the disk failed or the file was cut"
    }
    do throws(SystemError) {
      if try lines.ring.isFile(at: path) { return nil }
    } catch {
      // It may be there, where this process may not look any more.
      if !error.isMissing { return nil }
    }
    return "the file of its buffer “\(path)” was removed"
  }

  /// Makes the locked file that ``renew(_:in:at:lost:)`` is to put in the place of a buffer.
  static func successor(of path: String, _ capacity: Int) throws(SystemError) -> FileDescriptor {
    // What a process that was killed meanwhile left; the buffer's lock is this one's.
    remove("\(path).new")
    guard let file = try new("\(path).new", capacity) else { throw .busy }
    return file
  }

  /// Has the lines go on in their successor, where their own file is gone or lost pages: what
  /// stands there is complete when it takes the path. No other thread may append or drain
  /// meanwhile.
  ///
  /// - Parameter lost: How many lines were dropped and not reported in the log yet.
  func renew(
    _ lines: LineQueue, in successor: FileDescriptor, at path: String, lost: Int
  ) throws(SystemError) {
    do throws(SystemError) {
      try Self.header.write(
        to: successor, capacity: lines.ring.capacity, start: lines.ring.start, end: lines.ring.end,
        path: target, lost: lost, intent: lines.intent ?? ambient_intent())
      try lines.ring.move(to: successor) { () throws(SystemError) in
        try FileSystem.overwrite(path, by: "\(path).new")
      }
    } catch {
      successor.giveUp()
      Self.remove("\(path).new")
      throw error
    }
  }

  /// The buffers of that file which are there, of the living and the dead.
  func paths() -> [String] {
    let names = (try? FileSystem.names(in: folder)) ?? []
    return names.filter { $0.hasPrefix(stem) && $0.hasSuffix(Self.suffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }

  /// What a dead owner left in the buffer; nil if the owner lives, or another process recovers it.
  func orphan(at path: String) throws(BufferFault) -> Orphan? {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.existing(path, toWrite: true)
    } catch {
      if error.isMissing { return nil }
      throw .unreadable(path: path, reason: error.description)
    }
    file.closeInForks()
    var isMapped = false
    defer { if !isMapped { file.giveUp() } }
    guard file.isOursAlone else { throw .foreign(path: path) }
    guard file.lockAtOnce(), !file.isRemoved else { return nil }
    if let former = try FormerBuffer(file, at: path) { return try former.orphan(for: target) }
    guard let contents = try contents(of: file, at: path) else {
      // Its owner died while it was made: it never had a line. Removed before the lock is given up,
      // so that an owner which lives, and has not locked it yet, finds it removed.
      Self.remove(path)
      return nil
    }
    do throws(SystemError) {
      // A file that was cut must not be mapped: its missing pages signal SIGBUS.
      try file.allocate(RingHeader.size + contents.capacity)
      if !contents.faults.isEmpty {
        try Self.header.write(to: file, capacity: contents.capacity, start: nil)
      }
      let lines = LineQueue(try MappedRing(mapping: file, capacity: contents.capacity))
      isMapped = true
      // Valid: mapped just now; what it holds may have any value.
      let (intent, lost) = (lines.ring.header.pointee.intent, lines.ring.header.pointee.lost)
      // After a loss of power the counts may be older than the frames.
      lines.ring.find(start: contents.start, end: contents.end)
      lines.adopt(intent)
      let isUncounted = contents.start == nil && lines.intent == nil
      if isUncounted {
        // Until an intent is noted for all lines, the file must not seem to be counted: a recovery
        // that ends before would have them written twice. No valid seal has all bits set.
        lines.ring.header.pointee.drained = .max
        lines.ring.header.pointee.drained_again = .max
      }
      return Orphan(
        lines: lines, lost: Int(exactly: ambient_unsealed(lost)) ?? 0, isUncounted: isUncounted,
        faults: contents.faults)
    } catch {
      throw .unreadable(path: path, reason: error.description)
    }
  }

  private func contents(
    of file: FileDescriptor, at path: String
  ) throws(BufferFault) -> RingHeader.Contents? {
    let contents: RingHeader.Contents?
    do throws(RingHeader.Fault) {
      contents = try Self.header.read(file, wanted: Self.header.capacities.lowerBound)
    } catch {
      switch error {
      case .foreign(let reason): throw .damaged(path: path, reason: reason)
      case .otherVersion(let version): throw .otherVersion(path: path, version: version)
      }
    }
    if contents != nil, let size = file.size, size <= RingHeader.size {
      // Left as it is for people, since there can be no line in it.
      throw .damaged(path: path, reason: "it has \(size) bytes")
    }
    return contents
  }

  /// Removes a buffer, and what its owner left of another that was to take its place.
  static func removeAll(of path: String) {
    remove("\(path).new")
    remove(path)
  }

  /// How many damaged ones are kept.
  static var mostDamaged: Int { 4 }

  /// Keeps a damaged one for people, where it is not found again, and removes the oldest of those
  /// if they are too many.
  func putAside(_ path: String) {
    for copy in ["", ".2", ".3", ".4", ".5"] {
      do throws(SystemError) {
        try FileSystem.rename(path, to: "\(path)\(copy).damaged")
        break
      } catch {
        if error != .isInTheWay { break }
      }
    }
    let names = (try? FileSystem.names(in: folder)) ?? []
    let damaged = names.filter { $0.hasPrefix(stem) && $0.hasSuffix(".damaged") }
      .compactMap { name in (try? FileStatus(at: "\(folder)/\(name)")).map { (name, $0.modified) } }
      .sorted { $0.1 < $1.1 }
    for (name, _) in damaged.dropLast(Self.mostDamaged) { Self.remove("\(folder)/\(name)") }
  }

  static func remove(_ path: String) { try? FileSystem.remove(path) }
}
