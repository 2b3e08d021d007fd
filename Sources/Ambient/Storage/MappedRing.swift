internal import CAmbient

/// A header and a ring of frames, in memory that is a file: what stands there survives the death of
/// the process.
///
/// Byte *n* of all that was ever appended stands at *n* modulo the ring's size. The ring is mapped
/// twice in a row, so that what it holds is one piece, wherever it begins. Which frames wait, and
/// what happens when there is no room, is for its owner to say: ``LineQueue`` or ``JournalRing``.
struct MappedRing: ~Copyable, Sendable {
  /// A number, since a pointer is not `Sendable`: valid until `deinit`, which unmaps the ring.
  private let record: UInt
  let capacity: Int
  /// Keeps the file locked as long as a thread may still append.
  private let file: FileDescriptor
  /// Of which fork of the process it is: another's memory is not there.
  private let forks = Forks.count

  /// Maps the file, which is locked and has as many bytes; it is closed with the ring, but stays
  /// open if it cannot be mapped.
  init(mapping file: FileDescriptor, capacity: Int) throws(SystemError) {
    LostPages.prepare()
    record = UInt(
      bitPattern: try FileMapping.map(file, headerSize: RingHeader.size, capacity: capacity))
    self.file = file
    self.capacity = capacity
  }

  deinit {
    // A fork has let go of its parent's already.
    guard forks == Forks.known else { return }
    file.giveUp()
    FileMapping.unmap(mapping)
  }

  /// Valid: it is mapped as long as this value lives, in the process that made it.
  @inline(__always)
  var header: UnsafeMutablePointer<ambient_ring> {
    mapping.pointee.ring.unsafelyUnwrapped
  }

  /// Valid: such records are never freed.
  @inline(__always)
  var mapping: UnsafeMutablePointer<ambient_mapping> {
    UnsafeMutablePointer(bitPattern: record).unsafelyUnwrapped
  }

  /// Where the byte of that count stands. Valid: all that the ring holds follows it in one piece,
  /// since the ring is mapped twice in a row.
  @inline(__always)
  func place(of count: UInt64) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(header) + RingHeader.size + Int(count & UInt64(capacity &- 1))
  }

  /// Where the first frame stands that waits: a count of bytes, frames included. In this process's
  /// own memory, since other processes may change the header, which says it to the next opening.
  @inline(__always)
  var start: UInt64 { ambient_ring_start(mapping) }

  /// Where the next frame will stand.
  @inline(__always)
  var end: UInt64 { ambient_ring_end(mapping) }

  var isEmpty: Bool { start == end }

  /// Sets both.
  func set(start: UInt64, end: UInt64) { ambient_ring_place(mapping, start, end) }

  /// Notes that the frames before that place are done with, so many lines among them: their room is
  /// free.
  func remove(before place: UInt64, lines: Int = 0) { ambient_ring_drained(mapping, place, lines) }

  /// Appends a frame if that leaves so many bytes free.
  ///
  /// - Returns: How many bytes wait now; nil if there was no room.
  @inline(__always)
  func append(
    _ record: UnsafeRawBufferPointer, at time: Int64 = 0, leaving reserve: Int = 0
  ) -> Int? {
    let waiting = ambient_ring_append(mapping, record.baseAddress, record.count, time, reserve)
    return waiting < 0 ? nil : waiting
  }

  /// Spares the first writers the wait for so many bytes of the ring.
  func warm(_ count: Int) { ambient_ring_warm(mapping, count) }

  /// Whether pages of the file were lost, so that memory stands in its place.
  var isLost: Bool { ambient_ring_is_lost(mapping) }

  /// Whether that is so, or the file is shorter than it was made: the next touch of a page behind
  /// its end loses that.
  var isDamaged: Bool { isLost || isCut }

  private var isCut: Bool { file.size.map { $0 < RingHeader.size + capacity } ?? false }

  /// Whether its file is the one at that path.
  func isFile(at path: String) throws(SystemError) -> Bool {
    try FileStatus(at: path).identity == file.identity
  }

  /// Gives a file that was cut its length again, so that no page behind its end is touched; what
  /// was there is lost.
  func extend() throws(SystemError) { try file.allocate(RingHeader.size + capacity) }

  /// Writes the ring to another file, which is locked and has as many bytes, and maps that in the
  /// place of this one, whose number it takes. No other thread may use the ring meanwhile.
  ///
  /// - Parameter commit: Makes the new file the one that the next opening finds, now that it has
  ///   all: a process that is killed leaves one of the two, and no line in both.
  func move(
    to new: FileDescriptor, commit: () throws(SystemError) -> Void
  ) throws(SystemError) {
    if isCut { try? extend() }
    try write(to: new)
    try commit()
    do throws(SystemError) { try remap(new) } catch {
      // Back to both halves of the old one.
      try? remap(file)
      throw error
    }
    // It may be found where its folder was moved to.
    file.truncate(to: 0)
    try file.become(new)
  }

  /// Writes ring and header to the ring's own file and maps that again, after its pages were lost.
  /// No other thread may use the ring meanwhile.
  ///
  /// The counts come last: without them the next opening looks for the frames that are there.
  func restore(_ header: RingHeader) throws(SystemError) {
    try write(to: file)
    try header.write(to: file, capacity: capacity, start: start, end: end)
    try remap(file)
  }

  private func remap(_ file: FileDescriptor) throws(SystemError) {
    guard ambient_ring_remap(mapping, file.number) else { throw SystemError.latest }
  }

  private func write(to file: FileDescriptor) throws(SystemError) {
    // Valid: the ring is mapped in one piece.
    let ring = UnsafeRawBufferPointer(start: place(of: 0), count: capacity)
    do throws(SystemError) { try file.write(ring, at: RingHeader.size) } catch {
      // A lost page, which the handler salvages when it is touched.
      guard error.isLostPage, LostPages.areSurvived else { throw error }
      try file.write(Array(ring), at: RingHeader.size)
    }
  }
}

/// The frames between two places.
extension MappedRing {
  /// Where counts end, which have 48 bits for words of eight bytes.
  static let lastEnd: UInt64 = (1 << 51) - (1 << 40)

  /// The frame that stands there, whose record was not looked at; nil if there is none.
  @inline(__always)
  func frame(at position: UInt64, until limit: UInt64) -> RingFrame? {
    var frame = RingFrame()
    // Valid: the ring holds as many bytes behind each place, which may have any value.
    return position < limit
      && ambient_frame_read(place(of: position), position, limit &- position, &frame) ? frame : nil
  }

  /// The frame that stands there and whose record is what was written; nil if there is none.
  func intact(at position: UInt64, until limit: UInt64) -> RingFrame? {
    guard var frame = frame(at: position, until: limit),
      // Valid: the whole record is there.
      ambient_frame_is_intact(&frame, place(of: position) + RingFrame.headSize)
    else { return nil }
    return frame
  }

  /// Where the next intact frame stands behind a damaged one, and how many frames at least are
  /// damaged: position and checksum tell a frame from all else.
  func nextIntact(behind position: UInt64, until limit: UInt64) -> (place: UInt64, damaged: Int) {
    var place = position
    var heads = 0
    while place < limit {
      if place > position, intact(at: place, until: limit) != nil { break }
      // Valid: places are multiples of eight, within the ring.
      if self.place(of: place).load(as: UInt64.self) == place { heads += 1 }
      place &+= UInt64(RingFrame.alignment)
    }
    return (min(place, limit), max(heads, 1))
  }

  /// Looks at the whole ring for frames that tell where the first waits and where the next is to
  /// stand, and sets that: counts are lost with their page, and may be older than the frames after
  /// a loss of power.
  ///
  /// - Parameters:
  ///   - start: Where the first frame stands that waits, if that is known.
  ///   - end: Where the next frame is to stand, if that is known.
  func find(start known: UInt64?, end knownEnd: UInt64?) {
    let capacity = UInt64(capacity)
    var frames: [(position: UInt64, end: UInt64)] = []
    var offset: UInt64 = 0
    while offset < capacity {
      // Valid: offsets are multiples of eight, within the ring.
      let position = place(of: offset).load(as: UInt64.self)
      if position & (capacity &- 1) == offset, position <= Self.lastEnd,
        let frame = intact(at: position, until: position &+ capacity)
      {
        frames.append((position, position &+ UInt64(frame.size)))
        offset &+= UInt64(frame.size)
      } else {
        offset &+= UInt64(RingFrame.alignment)
      }
    }
    guard let last = frames.map(\.end).max() else {
      // Nothing is there that could tell: positions of before come again by a rare chance only.
      let place = knownEnd ?? known ?? UInt64.random(in: 0..<1 << 47) << 3
      return set(start: knownEnd == nil ? place : known ?? place, end: place)
    }
    let end = max(last, knownEnd ?? 0, known ?? 0)
    // Frames further back were overwritten, and drained ones stay drained.
    let least = end > capacity ? end - capacity : 0
    let start = known.flatMap { $0 >= least ? $0 : nil }
    set(start: start ?? frames.map(\.position).filter { $0 >= least }.min() ?? end, end: end)
  }
}
