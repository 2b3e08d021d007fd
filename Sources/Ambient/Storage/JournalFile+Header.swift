internal import CAmbient

/// What a queue's file begins with; the format stands in `docs/journal.md`.
extension JournalFile {
  private static var version: UInt32 { 1 }
  private static let magic = Array("AmbQueue".utf8)
  /// How many bytes stand twice: those that never change.
  private static let fixedSize = 32
  private static let copyPlace = Int(ambient_queue_copy)

  /// Learns capacity and counts; false if there is nothing in the file.
  mutating func recognise(_ size: Int) throws(JournalError) -> Bool {
    let bytes = file.read(Self.copyPlace + Self.fixedSize, at: 0)
    readCounts(bytes)
    if let capacity = try capacity(in: bytes[..<min(Self.fixedSize, bytes.count)]) {
      self.capacity = capacity
    } else if let capacity = try capacity(in: bytes.dropFirst(Self.copyPlace)) {
      faults.append("its header was changed")
      self.capacity = capacity
      forgetZeros()
    } else {
      let guess = Self.power(of: size - Self.headerSize)
      if !bytes.prefix(Self.magic.count).elementsEqual(Self.magic.prefix(bytes.count)) {
        switch contents(size, guess) {
        case .nothing: return false
        case .frames: break
        case .other: throw .foreign(path: path, reason: "it does not begin with AmbQueue")
        }
      }
      faults.append("its header was lost")
      forgetZeros()
      if size > Self.headerSize { capacity = guess }
    }
    if let start, let end, start > end || end - start > UInt64(capacity) {
      (self.start, self.end) = (nil, nil)
    }
    if start == nil || end == nil { faults.append("its counts were lost") }
    return true
  }

  /// Zeros are a count of none, too, and stand there if a page was lost.
  private mutating func forgetZeros() {
    if start == 0 || end == 0 { (start, end) = (nil, nil) }
  }

  /// The capacity that one of the two copies says; nil if it is damaged.
  private func capacity(in bytes: ArraySlice<UInt8>) throws(JournalError) -> Int? {
    guard bytes.count == Self.fixedSize else { return nil }
    var ring = ambient_ring()
    // Valid: it is longer than the bytes, which may have any value.
    withUnsafeMutableBytes(of: &ring) { $0.copyBytes(from: bytes) }
    guard bytes.starts(with: Self.magic), ring.check == ambient_ring_check(&ring) else {
      return nil
    }
    guard ring.version == Self.version else {
      throw .otherVersion(path: path, version: Int(ring.version))
    }
    guard let capacity = Int(exactly: ring.capacity), Self.capacities.contains(capacity),
      capacity & (capacity - 1) == 0, ring.header_size == Self.headerSize
    else { return nil }
    return capacity
  }

  /// Each count stands twice; the second is older if the process died between both.
  private mutating func readCounts(_ bytes: [UInt8]) {
    func count(at place: Int) -> UInt64? {
      guard bytes.count >= place + 8 else { return nil }
      // Valid: the bytes are there.
      let sealed = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      }
      let count = ambient_unsealed(sealed)
      return count == .max ? nil : count << 3
    }
    func place<Value>(_ path: KeyPath<ambient_queue, Value>) -> Int {
      MemoryLayout<ambient_queue>.offset(of: path) ?? 0
    }
    let ends = [place(\.ring.committed), place(\.ring.committed_again)]
    end = ends.compactMap(count).max()
    let starts = [place(\.ring.drained), place(\.drained_again)]
    start = starts.compactMap(count).max()
  }

  /// - Parameter counts: Whether to begin to count, too.
  func writeHeader(counts: Bool) throws(JournalError) {
    var queue = ambient_queue()
    withUnsafeMutableBytes(of: &queue.ring.magic) { $0.copyBytes(from: Self.magic) }
    queue.ring.header_size = UInt32(Self.headerSize)
    queue.ring.version = Self.version
    queue.ring.capacity = UInt64(capacity)
    queue.ring.check = ambient_ring_check(&queue.ring)
    let none = ambient_sealed(0)
    (queue.ring.committed, queue.ring.committed_again) = (none, none)
    (queue.ring.drained, queue.drained_again) = (none, none)
    let bytes = withUnsafeBytes(of: &queue) { Array($0) }
    let fixed = Array(bytes.prefix(Self.fixedSize))
    try Self.attempt(path, bytes: Self.headerSize + capacity) { () throws(SystemError) in
      try file.write(counts ? bytes : fixed, at: 0)
      try file.write(fixed, at: Self.copyPlace)
    }
  }

  private enum Contents { case nothing, frames, other }

  /// What a file without a header of ours holds: nothing but zeros, frames where they would stand
  /// in a ring of that size, or something else.
  private func contents(_ size: Int, _ capacity: Int) -> Contents {
    var isZero = true
    let step = 1 << 20
    var place = 0
    while place < size {
      let bytes = file.read(step, at: place)
      if bytes.isEmpty { break }
      if isZero, bytes.contains(where: { $0 != 0 }) { isZero = false }
      for offset in stride(from: 0, to: bytes.count - 7, by: JournalFrame.alignment) {
        // Valid: there are eight bytes at least.
        let position = bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        let count = place + offset - Self.headerSize
        if count >= 0, position & UInt64(capacity - 1) == UInt64(count),
          position <= UInt64(1) << 51,
          isFrame(at: place + offset, position, capacity)
        {
          return .frames
        }
      }
      place += bytes.count
    }
    return isZero ? .nothing : .other
  }

  private func isFrame(at place: Int, _ position: UInt64, _ capacity: Int) -> Bool {
    let head = file.read(JournalFrame.headSize, at: place)
    guard head.count == JournalFrame.headSize else { return false }
    // Valid: there are as many bytes, which may have any value.
    let length = head.withUnsafeBytes { $0.loadUnaligned(as: ambient_frame.self) }.length
    guard JournalFrame.size(of: Int(length & ~ambient_void)) <= capacity else { return false }
    var frame = file.read(JournalFrame.size(of: Int(length & ~ambient_void)), at: place)
    let count = frame.count
    return frame.withUnsafeMutableBytes { bytes in
      // Valid: the memory is the array's own, for the time of the closure.
      guard let start = bytes.baseAddress,
        let frame = JournalFrame(at: start, position: position, room: count)
      else { return false }
      return frame.isIntact(start)
    }
  }
}
