// SPDX-License-Identifier: Apache-2.0

public import CAmbient

/// A header and a ring of frames, in memory that is mapped from a file and so survives the death of
/// the process.
///
/// Positions count all bytes ever appended: the byte at position *n* is stored at *n* modulo the
/// ring's size. The ring is mapped twice in a row, so that its contents are contiguous, wherever
/// they begin. The owner, a ``LineQueue`` or a journal's `JournalRing`, decides which frames still
/// have to be written or delivered, and handles a full ring.
///
/// Appending is inlinable, since journals append in another module.
@usableFromInline package struct MappedRing: ~Copyable, Sendable {
  /// The address of the ring's `ambient_mapping`, as a number, because a pointer is not `Sendable`.
  /// The mapping belongs to this ring until `deinit`, which unmaps the ring.
  @usableFromInline let record: UInt
  package let capacity: Int
  #if !os(Linux)
    /// The ring's file, whose descriptor holds the lock as long as a thread may append. On Linux,
    /// the mapping holds the lock.
    private let file: Guarded<OwnedDescriptor>
  #endif
  /// The count of forks when the ring was mapped. A child that is forked later has a higher count,
  /// and does not have the ring mapped.
  private let forks = Forks.count

  /// Creates a ring by mapping the file, which must be locked and have the right size. The file
  /// stays locked until `deinit`.
  package init(mapping file: OwnedDescriptor, capacity: Int) throws(SystemError) {
    LostPages.prepare()
    record = UInt(bitPattern: try RingMapping.map(file, RingHeader.size, capacity))
    self.capacity = capacity
    #if !os(Linux)
      self.file = Guarded(file)
    #endif
  }

  deinit {
    // In a forked child, the parent's ring has already been closed and unmapped.
    if forks == Forks.known { ambient_ring_unmap(mapping) }
  }

  /// The header of the mapped ring. Valid: in the process that made this value, the ring stays
  /// mapped as long as the value lives.
  @inline(__always)
  package var header: UnsafeMutablePointer<ambient_ring> {
    mapping.pointee.ring.unsafelyUnwrapped
  }

  /// The mapping of the ring. Valid: an `ambient_mapping` is never freed.
  @inlinable @inline(__always)
  var mapping: UnsafeMutablePointer<ambient_mapping> {
    UnsafeMutablePointer(bitPattern: record).unsafelyUnwrapped
  }

  /// The address of the byte at that position. Valid: all contents of the ring follow it without a
  /// gap, since the ring is mapped twice in a row.
  @inline(__always)
  package func place(of count: UInt64) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(header) + RingHeader.size + Int(count & UInt64(capacity &- 1))
  }

  /// The position of the first waiting frame. It is read from this process's private memory, and
  /// not from the header: the header's copy is for the next opening, and other processes may change
  /// it.
  @inlinable @inline(__always)
  package var start: UInt64 { ambient_ring_start(mapping) }

  /// The position of the next frame to append.
  @inlinable @inline(__always)
  package var end: UInt64 { ambient_ring_end(mapping) }

  var isEmpty: Bool { start == end }

  /// Sets both positions.
  package func set(start: UInt64, end: UInt64) { ambient_ring_place(mapping, start, end) }

  /// Frees the room of the frames before that position, which contain `lines` lines.
  package func remove(before place: UInt64, lines: Int = 0) {
    ambient_ring_drained(mapping, place, lines)
  }

  /// Appends a frame if `reserve` bytes stay free after it.
  ///
  /// - Returns: The number of bytes that wait now; nil if there was no room.
  @inlinable @inline(__always)
  package func append(
    _ record: UnsafeRawBufferPointer, at time: Int64 = 0, leaving reserve: Int = 0
  ) -> Int? {
    let waiting = ambient_ring_append(mapping, record.baseAddress, record.count, time, reserve)
    return waiting < 0 ? nil : waiting
  }

  /// Touches the first `count` bytes of the ring, so that the first writers need not wait for page
  /// faults.
  package func warm(_ count: Int) { ambient_ring_warm(mapping, count) }

  /// Whether pages of the file were lost, and memory was mapped in their place.
  var isLost: Bool { ambient_ring_is_lost(mapping) }

  /// The device and the inode of the ring's file.
  private var identity: FileDescriptor.Identity {
    .init(device: mapping.pointee.device, file: mapping.pointee.file)
  }

  /// What happened to the ring's file.
  package enum Trouble { case lostPages, removed }

  /// What happened to the ring's file, which was at that path; nil if nothing is known to have
  /// happened. A file that was moved or replaced counts as removed. Pages also count as lost if
  /// the file was shortened: the next access to one of them would find it lost.
  package func trouble(at path: String) -> Trouble? {
    do throws(SystemError) {
      let status = try FileStatus(at: path)
      if status.identity != identity { return .removed }
      return isLost || status.size < RingHeader.size + capacity ? .lostPages : nil
    } catch {
      // Other errors do not prove that the file is gone. For example, this process may no longer
      // have the permission to look for it.
      return error.isMissing ? .removed : isLost ? .lostPages : nil
    }
  }

  /// Extends the ring's file, which was at that path, as ``restore(_:at:)`` does.
  package func extend(at path: String) throws(SystemError) { try extended(at: path).close() }

  /// Opens the ring's file at that path, and extends it to its full length if it was shortened,
  /// because an access to a page that the file lacks would raise SIGBUS. The bytes that were cut
  /// off are lost.
  ///
  /// - Throws: The system's error; `inTheWay` if another file is at the path.
  private func extended(at path: String) throws(SystemError) -> FileDescriptor {
    let file = try FileDescriptor.existing(path, toWrite: true)
    do throws(SystemError) {
      guard file.identity == identity else { throw .inTheWay }
      try file.allocate(RingHeader.size + capacity)
      return file
    } catch {
      file.close()
      throw error
    }
  }

  /// Makes a locked file for a ring of `capacity` bytes; nil if another process locked it first.
  static func newFile(_ path: String, _ capacity: Int) throws(SystemError) -> OwnedDescriptor? {
    let owner = OwnedDescriptor(try .new(path), isLock: true)
    let file = owner.unchecked
    do throws(SystemError) {
      guard try file.lock(), !file.isRemoved else {
        try? FileSystem.remove(path)
        return nil
      }
      if file.isRemote { throw .unsupported }
      try owner.safe.allocate(RingHeader.size + capacity)
      return owner
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
  }

  /// Makes the locked file that ``move(to:at:header:)`` puts at `path`. The caller must hold the
  /// lock of the file that is there, or that was.
  package static func successor(
    of path: String, _ capacity: Int, permissions: UInt16 = 0o600
  ) throws(SystemError) -> OwnedDescriptor {
    // Removes the unfinished successor that a killed process may have left. No other process is
    // making one now, because this process holds the lock.
    try? FileSystem.remove("\(path).new")
    guard let file = try newFile("\(path).new", capacity) else { throw .busy }
    file.checked?.setPermissions(permissions)
    return file
  }

  /// Moves the ring to its successor, and maps that file in place of the present one, which was at
  /// `path`. No other thread may use the ring meanwhile.
  ///
  /// The successor is complete before it takes the path. So a process that is killed at any time
  /// leaves only one of the two files there, and no frame is recovered twice.
  ///
  /// - Parameter writeHeader: Writes the header of the successor.
  package func move(
    to new: OwnedDescriptor, at path: String,
    header writeHeader: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    do throws(SystemError) {
      try writeHeader(new.safe)
      try? extend(at: path)
      try write(to: new.safe)
      try FileSystem.overwrite(path, by: "\(path).new")
    } catch {
      try? FileSystem.remove("\(path).new")
      throw error
    }
    // Marks the old file as empty. If its folder was moved, a recovery may still find the file
    // there, and would recover its frames a second time.
    ambient_counts_store(&header.pointee.drained, &header.pointee.drained_again, end)
    try remap(new.safe, withLock: true)
    (mapping.pointee.device, mapping.pointee.file) = (new.identity.device, new.identity.file)
    #if !os(Linux)
      file.withLock { $0 = new }
    #endif
  }

  /// Writes the ring and the header to the ring's own file at `path` again, and maps the file
  /// again, after pages of the file were lost. No other thread may use the ring meanwhile.
  ///
  /// The header, which contains the counts, is written last. Without valid counts, the next opening
  /// searches the ring for frames.
  ///
  /// - Throws: The system's error; `inTheWay` if another file is at the path.
  package func restore(_ header: RingHeader, at path: String) throws(SystemError) {
    let file = try extended(at: path)
    defer { file.close() }
    try write(to: file)
    try header.write(to: file, capacity: capacity, start: start, end: end)
    try remap(file, withLock: false)
  }

  private func remap(_ file: FileDescriptor, withLock: Bool) throws(SystemError) {
    guard ambient_ring_remap(mapping, file.number, withLock) else { throw SystemError.latest }
  }

  /// A function that waits until all bytes of the ring are on the disk. It needs no lock, and is
  /// valid as long as the ring lives.
  package var synchronization: @Sendable () -> SystemError? {
    #if os(Linux)
      { [record] in
        // Valid: an `ambient_mapping` is never freed, and the ring is mapped while it lives.
        let mapping = UnsafePointer<ambient_mapping>(bitPattern: record)
        return ambient_ring_synchronize(mapping) == 0 ? nil : .latest
      }
    #else
      let file = file.withLock { $0.safe }
      return {
        do throws(SystemError) { try file.synchronize() } catch { return error }
        return nil
      }
    #endif
  }

  /// Releases the file's lock. After that, only `deinit` may use the ring.
  package func letGo() {
    #if !os(Linux)
      file.withLock { $0.checked?.unlock() }
    #endif
    ambient_ring_let_go(mapping)
  }

  private func write(to file: FileDescriptor) throws(SystemError) {
    // Valid: the ring is mapped in one piece.
    let ring = UnsafeRawBufferPointer(start: place(of: 0), count: capacity)
    do throws(SystemError) { try file.write(ring, at: RingHeader.size) } catch {
      // The file has lost a page of the ring. `Array(ring)` touches that page; the SIGBUS handler
      // then replaces the ring with a copy in memory, so that the bytes can be written.
      guard error.isLostPage, LostPages.areSurvived else { throw error }
      try file.write(Array(ring), at: RingHeader.size)
    }
  }
}

/// Functions that find frames, and check whether they are intact.
extension MappedRing {
  /// The last position at which a frame may end. It is below 2⁵¹, because a stored count has 48
  /// bits, and counts words of eight bytes.
  @inlinable
  package static var lastEnd: UInt64 { (1 << 51) - (1 << 40) }

  /// The frame at that position; nil if no whole frame before `limit` begins there. The frame's
  /// record is not checked, so it may be damaged.
  @inline(__always)
  package func frame(at position: UInt64, until limit: UInt64) -> RingFrame? {
    var frame = RingFrame()
    // Valid: the ring is mapped twice in a row, so at least `capacity` mapped bytes follow each
    // position, more than a frame's head needs. Those bytes may have any value.
    return position < limit
      && ambient_frame_read(place(of: position), position, limit &- position, &frame) ? frame : nil
  }

  /// The frame at that position, if its record is intact; nil otherwise.
  package func intact(at position: UInt64, until limit: UInt64) -> RingFrame? {
    guard var frame = frame(at: position, until: limit),
      // Valid: `frame(at:until:)` has checked that the whole record lies before `limit`.
      ambient_frame_is_intact(&frame, place(of: position) + RingFrame.headSize)
    else { return nil }
    return frame
  }

  /// Returns the position of the next intact frame after the damaged frame at `position`, or
  /// `limit` if there is none. Also returns the number of damaged frames that were found before
  /// that position, but at least one.
  ///
  /// Each frame begins with its own position. A frame is intact if its position and its checksum
  /// are right. A damaged frame is counted if its position is still right.
  package func nextIntact(behind position: UInt64, until limit: UInt64) -> (
    place: UInt64, damaged: Int
  ) {
    var place = possibleFrame(from: position, until: limit)
    var heads = 0
    while place < limit, place == position || intact(at: place, until: limit) == nil {
      if word(at: place) == place { heads += 1 }
      place = possibleFrame(from: place &+ UInt64(RingFrame.alignment), until: limit)
    }
    return (place, max(heads, 1))
  }

  /// Returns the first position before `limit` at which a frame may begin, by the low bits of the
  /// word there; `limit` if there is none.
  private func possibleFrame(from position: UInt64, until limit: UInt64) -> UInt64 {
    // Valid: positions are multiples of eight, and reduced to the ring by the mask.
    ambient_frame_search(place(of: 0), position, limit, UInt64(capacity &- 1))
  }

  /// The word at that position. Valid: positions are multiples of eight, within the ring.
  private func word(at position: UInt64) -> UInt64 { place(of: position).load(as: UInt64.self) }

  /// Searches the whole ring for frames, and sets the positions of the first waiting frame and of
  /// the next one to append. The stored counts are not enough: they may be lost with their page,
  /// or, after a loss of power, be older than the frames.
  ///
  /// - Parameters:
  ///   - start: The position of the first waiting frame, if it is known.
  ///   - end: The position of the next frame to append, if it is known.
  package func find(start known: UInt64?, end knownEnd: UInt64?) {
    let capacity = UInt64(capacity)
    var frames: [(position: UInt64, end: UInt64)] = []
    var offset = possibleFrame(from: 0, until: capacity)
    while offset < capacity {
      let position = word(at: offset)
      var size = UInt64(RingFrame.alignment)
      // Compared again, because the page may have been lost since the search.
      if position & (capacity &- 1) == offset, position <= Self.lastEnd,
        let frame = intact(at: position, until: position &+ capacity)
      {
        size = UInt64(frame.size)
        frames.append((position, position &+ size))
      }
      offset = possibleFrame(from: offset &+ size, until: capacity)
    }
    guard let last = frames.map(\.end).max() else {
      // No frame was found. If no position is known either, the ring continues at a random
      // position. Bytes of old frames may still be in the ring, and would pass for a new frame if
      // the ring used their positions again. With a random position, that hardly ever happens.
      let place = knownEnd ?? known ?? UInt64.random(in: 0..<1 << 47) << 3
      return set(start: knownEnd == nil ? place : known ?? place, end: place)
    }
    let end = max(last, knownEnd ?? 0, known ?? 0)
    // Frames that begin more than `capacity` bytes before the end were partly overwritten. Frames
    // before the known start were drained, and must not wait again.
    let least = end > capacity ? end - capacity : 0
    let start = known.flatMap { $0 >= least ? $0 : nil }
    set(start: start ?? frames.map(\.position).filter { $0 >= least }.min() ?? end, end: end)
  }
}
