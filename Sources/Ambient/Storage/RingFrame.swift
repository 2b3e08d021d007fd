internal import CAmbient

/// The head of a frame in a ``MappedRing``, before a record or a line: `struct ambient_frame`.
struct RingFrame {
  let head: ambient_frame

  /// How many bytes it has; frames begin at multiples of eight.
  static let headSize = MemoryLayout<ambient_frame>.size
  static let alignment = 8

  /// The longest record that the format has room for.
  static let longest = Int(ambient_void) - 1

  /// How many bytes a record takes with its frame.
  @inline(__always)
  static func size(of length: Int) -> Int { ambient_frame_size(length) }

  var position: UInt64 { head.position }
  var time: Int64 { head.time }
  var length: Int { Int(head.length & ~ambient_void) }
  var size: Int { Self.size(of: length) }

  /// Whether zeros stand in the place of the record: it was erased, dropped or damaged.
  var isEmpty: Bool { head.length & ambient_void != 0 }

  /// Reads the frame that stands there; nil if none can, be its record intact or not.
  ///
  /// - Parameter room: How many bytes there are for it.
  @inline(__always)
  init?(at place: UnsafeRawPointer, position: UInt64, room: Int) {
    var head = ambient_frame()
    // Valid: the ring holds as many bytes behind each place; what they are is looked at here.
    guard room > 0, ambient_frame_read(place, position, UInt64(room), &head) else { return nil }
    self.head = head
  }

  /// Whether the checksum is that of the frame and of its record, which stands behind it.
  func isIntact(_ place: UnsafeRawPointer) -> Bool {
    // Valid: the initializer has looked that the whole record is there.
    withUnsafePointer(to: head) { ambient_frame_is_intact($0, place + Self.headSize) }
  }

  /// Writes the head of a frame; the checksum is the record's.
  @inline(__always)
  static func write(
    position: UInt64, length: UInt32, time: Int64, checksum: UInt32,
    to place: UnsafeMutableRawPointer
  ) {
    var head = ambient_frame(position: position, length: length, checksum: 0, time: time)
    head.checksum = ambient_frame_checksum(&head, checksum)
    // Valid: the caller has made room, at a multiple of eight.
    place.storeBytes(of: head, as: ambient_frame.self)
  }
}
