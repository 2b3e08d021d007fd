internal import CAmbient

/// A header and a ring of bytes, in memory that is a file: what stands there survives the death of
/// the process.
///
/// Byte *n* of all that was ever appended stands at *n* modulo the ring's size. The ring is mapped
/// twice in a row, so that what it holds is one piece, wherever it begins. What stands in it, lines
/// (``LineRing``) or records (``JournalRing``), is its owner's to say.
struct MappedRing: ~Copyable, Sendable {
  /// A number, since a pointer is not `Sendable`: valid until `deinit`, which unmaps it.
  private let address: UInt
  let capacity: Int
  private let headerSize: Int
  /// Keeps the file locked as long as somebody may still append.
  private let file: FileDescriptor
  /// Of which fork of the process it is: another's memory is not there.
  private let forks = Forks.count

  /// Maps the file, which is locked and has as many bytes; it is closed with the ring.
  init(mapping file: FileDescriptor, headerSize: Int, capacity: Int) throws(SystemError) {
    address = UInt(
      bitPattern: try FileMapping.map(file, headerSize: headerSize, capacity: capacity))
    self.file = file
    self.headerSize = headerSize
    self.capacity = capacity
    ambient_lock_enlist(file.number)
  }

  deinit {
    // A fork has let go of its parent's already.
    guard isOwn else { return }
    ambient_lock_strike(file.number)
    // Said, since a process that was forked just now has the file open, too.
    file.unlock()
    file.close()
    FileMapping.unmap(header, headerSize: headerSize, capacity: capacity)
  }

  /// Whether this process has made it, and no fork of that.
  @inline(__always)
  var isOwn: Bool { forks == Forks.known }

  /// Valid: it is mapped as long as this value lives, in the process that made it.
  @inline(__always)
  var header: UnsafeMutablePointer<ambient_ring> {
    UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Where the byte of that count stands. Valid: all that the ring holds follows it in one piece,
  /// since the ring is mapped twice in a row.
  @inline(__always)
  func place(of count: UInt64) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(header) + headerSize + Int(count & UInt64(capacity &- 1))
  }

  /// Spares the first writers the wait for so many bytes of the ring.
  func warm(_ count: Int) { ambient_ring_warm(header, headerSize, count) }
}
