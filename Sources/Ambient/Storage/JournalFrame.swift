internal import CAmbient

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What stands before each record of a ``Journal``; the format stands in `docs/journal.md`.
struct JournalFrame {
  let head: ambient_frame

  /// How many bytes it has; records begin at multiples of eight.
  static let headSize = MemoryLayout<ambient_frame>.size
  static let alignment = 8

  /// How long a record may be for the format's sake.
  static let longest = Int(ambient_void) - 1

  /// How many bytes a record takes with its frame.
  @inline(__always)
  static func size(of length: Int) -> Int { (headSize &+ length &+ 7) & ~7 }

  var position: UInt64 { head.position }
  var time: Int64 { head.time }
  var length: Int { Int(head.length & ~ambient_void) }
  var size: Int { Self.size(of: length) }

  /// Whether zeros stand in the place of the record: it was erased, dropped or damaged.
  var isEmpty: Bool { head.length & ambient_void != 0 }

  /// The frame that stands there; nil if there can be none, be its record intact or not.
  ///
  /// - Parameter room: How many bytes there are for it; at least a frame's head is there to be
  ///   read.
  @inline(__always)
  init?(at place: UnsafeMutableRawPointer, position: UInt64, room: Int) {
    guard room >= Self.headSize else { return nil }
    // Valid: the ring holds as many bytes behind each place; what they are is looked at here.
    head = place.load(as: ambient_frame.self)
    guard head.position == position, size <= room else { return nil }
  }

  /// Whether the checksum is that of the frame and of its record, which stands there.
  func isIntact(_ place: UnsafeMutableRawPointer) -> Bool {
    // Valid: the initializer has looked that the whole record is there.
    let ofRecord = isEmpty ? 0 : ambient_checksum(place + Self.headSize, length)
    return withUnsafePointer(to: head) { ambient_frame_checksum($0, ofRecord) } == head.checksum
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

extension Date {
  /// In whole microseconds since 1970, as near as 64 bits hold it; 1970 for what is no number.
  var journalTime: Int64 {
    // By hand, since the system's is a call of the C library.
    let interval = timeIntervalSinceReferenceDate * 1e6
    let microseconds = interval + (interval < 0 ? -0.5 : 0.5)
    guard microseconds.magnitude < 9e18 else {
      return microseconds.isNaN ? 0 : microseconds < 0 ? .min : .max
    }
    let (time, isBeyond) = Int64(microseconds).addingReportingOverflow(secondsTo2001 * 1_000_000)
    return isBeyond ? .max : time
  }

  init(journalTime: Int64) {
    let (quotient, remainder) = journalTime.quotientAndRemainder(dividingBy: 1_000_000)
    let isBefore = remainder < 0
    self.init(
      second: Double(quotient - secondsTo2001 - (isBefore ? 1 : 0)),
      attoseconds: (remainder + (isBefore ? 1_000_000 : 0)) * 1_000_000_000_000)
  }
}

/// From 1970 to 2001.
private let secondsTo2001: Int64 = 978_307_200
