internal import CAmbient

/// A log's buffer in version 1 of the format: a header with two counts of bytes, then a ring of
/// lines without frames.
///
/// A program that was killed before it was updated may have left such a buffer. The waiting lines
/// are copied to a buffer of the present version, which takes the old buffer's path.
struct BufferVersion1 {
  private let file: FileDescriptor
  private let path: String
  private let capacity: Int
  private let drained: UInt64
  private let committed: UInt64
  private let intent: ambient_intent

  private static let pathSize = 3_072
  private enum Place {
    static let capacity = 16, check = 24, committed = 64, drained = 128, intent = 136, path = 188
  }

  /// Reads the header of a buffer of version 1; nil if the file is not such a buffer, or if the
  /// process that made the file died before the header was complete.
  init?(_ file: FileDescriptor, at path: String) throws(BufferError) {
    let bytes = try Self.read(file, Place.path + Self.pathSize, 0, path)
    // Valid: the guard below first checks that `bytes` contains each offset that is read, and
    // every bit pattern is a valid value of the types that are read.
    func load<Value>(_ place: Int, as type: Value.Type) -> Value {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
    }
    guard bytes.count == Place.path + Self.pathSize, bytes.starts(with: "AmbLines".utf8),
      load(12, as: UInt32.self) == 1, load(Place.check, as: UInt64.self) != 0
    else { return nil }
    // The checksum at `Place.check` covers the bytes before it, and the path.
    let checked = Array(bytes[..<Place.check]) + bytes[Place.path...]
    let check = checked.withUnsafeBytes {
      ambient_mix(ambient_mix_start, $0.baseAddress, $0.count)
    }
    guard check == load(Place.check, as: UInt64.self), load(8, as: UInt32.self) == RingHeader.size,
      let capacity = Int(exactly: load(Place.capacity, as: UInt64.self)),
      BufferFile.header.capacities.contains(capacity), capacity & (capacity - 1) == 0,
      file.size == RingHeader.size + capacity
    else { throw .damaged(path: path, reason: "its header was changed") }
    self.file = file
    self.path = path
    self.capacity = capacity
    drained = ambient_unsealed(load(Place.drained, as: UInt64.self))
    committed = ambient_unsealed(load(Place.committed, as: UInt64.self))
    intent = load(Place.intent, as: ambient_intent.self)
    guard drained <= committed, committed != .max, committed - drained <= capacity else {
      throw .damaged(path: path, reason: "its counts were changed")
    }
  }

  /// Copies the waiting lines to a buffer of the present version, replaces this buffer's file with
  /// the new buffer, and returns the new buffer.
  func orphan(for target: String) throws(BufferError) -> Orphan {
    let bytes = try waiting()
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    let capacity = BufferFile.header.power(of: bytes.count + ends.count * RingFrame.size(of: 7))
    // Removes the file of an earlier recovery whose process was killed. No other recovery uses the
    // file now, because this recovery holds the lock of the old buffer.
    let new = "\(path).new"
    BufferFile.remove(new)
    do throws(SystemError) {
      guard let lines = try BufferFile.make(new, for: target, capacity: capacity) else {
        throw .busy
      }
      for (start, end) in zip([0] + ends, ends) {
        guard bytes[start..<end].withUnsafeBytes({ lines.ring.append($0) }) != nil else {
          throw .full
        }
      }
      if intent.isIntact, intent.from <= drained, intent.until > drained, intent.until <= committed,
        let size = Int(exactly: intent.size)
      {
        lines.intend(
          intent.identity, size: size, from: 0,
          until: lines.place(after: Int(intent.until - drained), until: lines.ring.end).place)
      }
      try FileSystem.overwrite(path, by: new)
      return Orphan(lines: lines)
    } catch {
      BufferFile.remove(new)
      throw .unreadable(path: path, reason: error.description)
    }
  }

  /// Reads the waiting lines, which may wrap around the end of the ring.
  private func waiting() throws(BufferError) -> [UInt8] {
    let (start, count) = (Int(drained) & (capacity - 1), Int(committed - drained))
    let first = try Self.read(file, min(count, capacity - start), RingHeader.size + start, path)
    return try first + Self.read(file, count - first.count, RingHeader.size, path)
  }

  private static func read(
    _ file: FileDescriptor, _ count: Int, _ offset: Int, _ path: String
  ) throws(BufferError) -> [UInt8] {
    try attempt(file.read(count, at: offset), or: BufferError.unreadable(path))
  }
}
