// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CAmbient

/// The file of a ``Journal``. This type makes and locks the file, and recognises it again by its
/// header.
struct JournalFile {
  let path: String
  private let owner: OwnedDescriptor
  /// The contents of the file's header.
  private(set) var contents: RingHeader.Contents
  /// The number of bytes at the beginning of a new ring that were filled with zeros.
  private var warmed = 0

  /// The file's name, unless another is given.
  static let name = "queue"
  private static let header = RingHeader(
    magic: Array("AmbQueue".utf8), version: 1, capacities: 65_536...(1 << 31))
  private static let mostWarmed = 64 << 20

  /// Opens the file of the queue in the folder, and locks the file.
  ///
  /// - Parameters:
  ///   - options: The options for making a missing queue, and for resizing an empty one. If they
  ///     are nil, a missing queue is an error, and the queue keeps its size.
  ///   - patience: The time for which the initializer waits if the file is in use by this process.
  ///     A process that was forked just now holds the lock of a journal that was closed since,
  ///     until it runs its own program.
  init(
    folder: String, _ name: String, _ options: Journal.Options?, patience: Duration
  ) throws(JournalError) {
    path = FileSystem.path(name, in: folder)
    contents = RingHeader.Contents(capacity: Self.header.power(of: options?.capacity ?? 0))
    if folder.isEmpty { throw .notAFolder(path: folder) }
    if options != nil {
      try attempt(FileSystem.makeFolders(folder), or: { JournalError($0, path: folder) })
    }
    owner = try Self.locked(path, options?.permissions, patience)
    if file.isRemote {
      throw .unsupported(path: path, reason: "it is a network file system")
    }
    try prepare(isMade: options == nil)
  }

  /// The descriptor, which was opened just now; a closed one if its number leads to another file,
  /// to which nothing may be written.
  private var file: FileDescriptor { owner.safe }

  private static func locked(
    _ path: String, _ permissions: UInt16?, _ patience: Duration
  ) throws(JournalError) -> OwnedDescriptor {
    let failure = { (error: SystemError) in JournalError(error, path: path) }
    // Tries again if another process removed the file before it was locked.
    for _ in 0..<10 {
      if permissions == nil, !FileSystem.exists(path) { throw .missing(path: path) }
      let opened =
        if let permissions {
          try attempt(FileDescriptor.made(path, permissions: permissions), or: failure)
        } else {
          try attempt(FileDescriptor.existing(path, toWrite: true), or: failure)
        }
      let owner = OwnedDescriptor(opened, isLock: true)
      let file = owner.unchecked
      var isLocked = false
      _ = try attempt(
        SystemThread.wait(atMost: patience) { () throws(SystemError) in
          isLocked = try file.lock()
          return isLocked || Self.process(of: file) != SystemThread.process
        }, or: failure)
      guard isLocked else {
        throw .inUse(path: path, process: Self.process(of: file))
      }
      if file.isRemoved { continue }
      guard file.isOursAlone else {
        throw .foreign(
          path: path, reason: "it has another owner, is a hard link, or is not a regular file")
      }
      return owner
    }
    throw .inUse(path: path, process: nil)
  }

  private static func process(of file: FileDescriptor) -> Int? {
    let header = try? file.read(MemoryLayout<ambient_ring>.size, at: 0)
    guard let header, header.count == MemoryLayout<ambient_ring>.size else { return nil }
    // Valid: `header` has the size of an `ambient_ring`, whose fields may have any value.
    let owner = header.withUnsafeBytes { $0.loadUnaligned(as: ambient_ring.self) }.owner
    return owner == 0 ? nil : Int(owner)
  }

  /// Reads the header, and allocates the whole file on the disk, so that no later write fails.
  ///
  /// - Parameter isMade: Whether the queue must have been made earlier. If true, a missing queue is
  ///   an error, and an empty queue keeps its size.
  private mutating func prepare(isMade: Bool) throws(JournalError) {
    let wanted = contents.capacity
    guard let known = try read() else {
      let size = file.size
      if isMade { throw .missing(path: path) }
      (contents.start, contents.end) = (0, 0)
      do throws(JournalError) {
        try attempt(Self.header.write(to: file, capacity: wanted), or: failure)
        try allocate()
        try attempt(writeZeros(), or: failure)
      } catch {
        if size == 0 { try? FileSystem.remove(path) }
        throw error
      }
      return
    }
    contents = known
    let isEmpty = known.start != nil && known.start == known.end
    if let size = file.size, size < bytes, !isEmpty {
      contents.faults.append("it had \(size) bytes instead of \(bytes)")
    }
    try allocate()
    if !contents.faults.isEmpty { try writeFixed() }
    if !isMade, isEmpty, wanted != known.capacity { resize(to: wanted) }
  }

  /// The size of the file in bytes, ring included.
  private var bytes: Int { RingHeader.size + contents.capacity }

  private func failure(_ error: SystemError) -> JournalError {
    JournalError(error, path: path, bytes: bytes)
  }

  private func read() throws(JournalError) -> RingHeader.Contents? {
    do throws(RingHeader.Fault) {
      return try Self.header.read(file, wanted: contents.capacity)
    } catch {
      switch error {
      case .foreign(let reason): throw .foreign(path: path, reason: reason)
      case .otherVersion(let version): throw .otherVersion(path: path, version: version)
      case .unreadable(let error): throw JournalError(error, path: path)
      }
    }
  }

  private func writeFixed() throws(JournalError) {
    try attempt(
      Self.header.write(to: file, capacity: contents.capacity, start: nil), or: failure)
  }

  /// Writes the file of a queue again after pages of the file were lost.
  static func restore(_ ring: inout JournalRing, at path: String) throws(JournalError) {
    do throws(SystemError) {
      try ring.memory.extend(at: path)
      ring.verifyAfterLoss()
      try ring.memory.restore(header, at: path)
    } catch {
      throw JournalError(error, path: path, bytes: RingHeader.size + ring.memory.capacity)
    }
    ring.memory.header.pointee.owner = UInt32(SystemThread.process)
  }

  /// Moves a queue to a new file in the folder, after its own file was moved, removed or replaced.
  ///
  /// Before that, opens the path as any other opening does. So the path has one owner at any time,
  /// and a file that isn't a queue of this user stays unchanged. The records of a queue that is
  /// there and that no journal has open are appended to `ring`.
  static func renew(
    _ ring: inout JournalRing, in folder: String, _ name: String, _ permissions: UInt16
  ) throws(JournalError) {
    var options = Journal.Options()
    (options.capacity, options.permissions) = (0, permissions)
    let file = try JournalFile(folder: folder, name, options, patience: .zero)
    var faults: [String] = []
    var found = try file.ring(&faults)
    ring.verifyAfterLoss()
    let (capacity, start, end) = (ring.memory.capacity, ring.memory.start, ring.memory.end)
    do throws(SystemError) {
      let successor = try MappedRing.successor(
        of: file.path, capacity, permissions: permissions)
      do throws(SystemError) {
        try ring.memory.move(to: successor, at: file.path) { file throws(SystemError) in
          try header.write(to: file, capacity: capacity, start: start, end: end)
        }
      } catch {
        // If only the mapping failed, the successor is at the path already, in place of the file
        // that was found. The next try would append the successor's records to the ring again.
        if FileDescriptor.identity(at: file.path) == successor.identity {
          try? FileSystem.remove(file.path)
          ring.append(recordsOf: &found)
        }
        throw error
      }
    } catch {
      throw JournalError(error, path: file.path, bytes: RingHeader.size + capacity)
    }
    ring.memory.header.pointee.owner = UInt32(SystemThread.process)
    ring.append(recordsOf: &found)
  }

  private func allocate() throws(JournalError) {
    WriteSignals.surviveSizeLimit()
    try attempt(file.allocate(bytes), or: failure)
  }

  /// Writes zeros to a new file, up to a limit: the first write to an allocated block takes as long
  /// as appending several records, and callers would have to wait for it.
  private mutating func writeZeros() throws(SystemError) {
    warmed = min(contents.capacity, Self.mostWarmed)
    let zeros = [UInt8](repeating: 0, count: RingHeader.size)
    for place in stride(from: 0, to: warmed, by: zeros.count) {
      try file.write(zeros, at: RingHeader.size + place)
    }
  }

  /// Gives an empty queue another capacity, if the disk has room.
  private mutating func resize(to wanted: Int) {
    let before = contents.capacity
    contents.capacity = wanted
    do throws(JournalError) {
      if wanted > before { try allocate() }
      try writeFixed()
      file.truncate(to: bytes)
    } catch { contents.capacity = before }
  }

  /// Maps the file as a ring. From then on, the ring owns the file, and closes it in `deinit`.
  ///
  /// - Parameter faults: Gets the damage that was found in the file.
  func ring(_ faults: inout [String]) throws(JournalError) -> JournalRing {
    faults = contents.faults
    let memory: MappedRing
    do throws(SystemError) {
      memory = try MappedRing(mapping: owner, capacity: contents.capacity)
    } catch {
      throw JournalError(error, path: path)
    }
    if warmed > 0 { memory.warm(warmed) }
    memory.header.pointee.owner = UInt32(SystemThread.process)
    // `find` also searches the frames: after a loss of power, the start and end in the header may
    // be valid and yet older than the frames.
    memory.find(start: contents.start, end: contents.end)
    if let end = contents.end, end < memory.end {
      // A process appends a frame before it stores the new `end` in the header. A killed process
      // therefore leaves at most one frame after the stored `end`. If there are more frames, the
      // system lost power before the header reached the disk.
      let next = memory.frame(at: end, until: memory.end).map { end + UInt64($0.size) }
      if next != memory.end { faults.append("its counts were older than its records") }
    }
    var ring = JournalRing(memory)
    ring.verify()
    return ring
  }
}
