// SPDX-License-Identifier: Apache-2.0

package import CAmbient

/// The format of the header of a ring file. Each `RingHeader` describes one version of one kind of
/// ring file. The header has the layout of `struct ambient_ring`.
package struct RingHeader: Sendable {
  /// The first eight bytes of every file of this kind.
  let magic: [UInt8]
  let version: UInt32
  /// The allowed sizes of the ring in bytes.
  let capacities: ClosedRange<Int>

  package init(magic: [UInt8], version: UInt32, capacities: ClosedRange<Int>) {
    self.magic = magic
    self.version = version
    self.capacities = capacities
  }

  /// The size of the header in bytes, which is the largest page size of any system.
  package static let size = 65_536
  /// The number of bytes in the part of the header that never changes. This part is stored twice.
  private static let fixedSize = Int(ambient_ring_fixed)
  private static let copyPlace = Int(ambient_ring_copy)

  /// The contents of a header. Its members can be set outside this file, because a `JournalFile`
  /// changes the contents that it has read, for example when it resizes the queue.
  package struct Contents {
    package var capacity: Int
    /// The position of the first frame that was not removed yet; nil if it is unknown.
    package var start: UInt64?
    /// The position of the next frame to append; nil if it is unknown.
    package var end: UInt64?
    /// Descriptions of damage to the header, for reports.
    package var faults: [String] = []

    package init(capacity: Int) { self.capacity = capacity }

    /// Sets both positions to nil if one of them is zero. A zero may come from a lost page of the
    /// file, whose bytes are read as zeros.
    fileprivate mutating func forgetZeros() {
      if start == 0 || end == 0 { (start, end) = (nil, nil) }
    }
  }

  /// The reason why a file cannot be used.
  package enum Fault: Error {
    case foreign(reason: String)
    case otherVersion(Int)
    case unreadable(SystemError)
  }

  /// Returns the smallest power of two that is at least `capacity`. A capacity outside the allowed
  /// sizes is clamped first.
  package func power(of capacity: Int) -> Int {
    let wanted = min(max(capacity, capacities.lowerBound), capacities.upperBound)
    return 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
  }

  /// Writes the header of a ring whose frames lie between the positions `start` and `end`. If
  /// `start` is nil, writes only the part that never changes, so that the positions in the file
  /// stay.
  package func write(
    to file: FileDescriptor, capacity: Int, start: UInt64? = 0, end: UInt64 = 0, path: String = "",
    lost: Int = 0, intent: ambient_intent = ambient_intent()
  ) throws(SystemError) {
    var ring = ambient_ring()
    withUnsafeMutableBytes(of: &ring.magic) { $0.copyBytes(from: magic) }
    ring.header_size = UInt32(Self.size)
    ring.version = version
    ring.capacity = UInt64(capacity)
    ring.check = ambient_ring_check(&ring)
    ambient_counts_store(&ring.committed, &ring.committed_again, end)
    ambient_counts_store(&ring.drained, &ring.drained_again, start ?? 0)
    ring.intent = intent
    if !path.isEmpty { ring.lost = ambient_sealed(UInt64(clamping: lost)) }
    // The copy is valid, since a path that does not fit is cut. A terminating zero follows it.
    withUnsafeMutableBytes(of: &ring.path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let bytes = withUnsafeBytes(of: &ring) { Array($0) }
    let fixed = Array(bytes.prefix(Self.fixedSize))
    try file.write(start == nil ? fixed : bytes, at: 0)
    try file.write(fixed, at: Self.copyPlace)
  }

  /// Reads the header. Returns nil if the file is empty or contains only zeros.
  ///
  /// - Parameter wanted: The capacity to assume if neither the header nor the file's size shows it.
  package func read(_ file: FileDescriptor, wanted: Int) throws(Fault) -> Contents? {
    let size = try attempt(file.checkedSize, or: Fault.unreadable)
    if size == 0 { return nil }
    let bytes = try bytes(file, Self.copyPlace + Self.fixedSize, at: 0)
    var contents = Contents(capacity: size > Self.size ? power(of: size - Self.size) : wanted)
    readCounts(bytes, to: &contents)
    if let capacity = try capacity(in: bytes[..<min(Self.fixedSize, bytes.count)]) {
      contents.capacity = capacity
    } else if let capacity = try capacity(in: bytes.dropFirst(Self.copyPlace)) {
      contents.faults.append("its header was changed")
      contents.capacity = capacity
      contents.forgetZeros()
    } else {
      if !bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) {
        guard let isRing = try hasFrame(file, size, contents.capacity) else { return nil }
        if !isRing {
          throw .foreign(reason: "it does not begin with \(String(decoding: magic, as: UTF8.self))")
        }
      }
      contents.faults.append("its header was lost")
      contents.forgetZeros()
    }
    if let start = contents.start, let end = contents.end {
      // A signal handler drains a frame as soon as it is complete. If the process dies before the
      // appending thread has stored the frame's end, all that was committed was drained.
      contents.end = max(start, end)
      if end > start, end - start > UInt64(contents.capacity) {
        (contents.start, contents.end) = (nil, nil)
      }
    }
    if contents.start == nil || contents.end == nil {
      contents.faults.append("its counts were lost")
    }
    return contents
  }

  /// Returns the capacity from one of the two copies of the header's fixed part. Returns nil if
  /// this copy is damaged.
  private func capacity(in bytes: ArraySlice<UInt8>) throws(Fault) -> Int? {
    guard bytes.count == Self.fixedSize else { return nil }
    var ring = ambient_ring()
    // Copying the bytes into `ring` is valid, since `ring` is longer than the bytes, and any bytes
    // are valid values of its fields.
    withUnsafeMutableBytes(of: &ring) { $0.copyBytes(from: bytes) }
    guard bytes.starts(with: magic), ring.check == ambient_ring_check(&ring) else { return nil }
    guard ring.version == version else { throw .otherVersion(Int(ring.version)) }
    guard let capacity = Int(exactly: ring.capacity), capacities.contains(capacity),
      capacity & (capacity - 1) == 0, ring.header_size == Self.size
    else { return nil }
    return capacity
  }

  /// Reads the positions `start` and `end`. The file contains two copies of each. If a process died
  /// after it had written only the first copy, the copies differ, and the greater one is the newer.
  private func readCounts(_ bytes: [UInt8], to contents: inout Contents) {
    var ring = ambient_ring()
    // The copy is valid, since it is not longer than `ring`, and any bytes are valid values of the
    // fields of `ring`.
    withUnsafeMutableBytes(of: &ring) { $0.copyBytes(from: bytes.prefix($0.count)) }
    // Returns the greatest of the intact copies. Copies that would lie beyond the end of the file
    // are left out, because the file may have been shortened.
    func greatest(_ paths: KeyPath<ambient_ring, UInt64>...) -> UInt64? {
      paths.filter { bytes.count - 8 >= MemoryLayout.offset(of: $0) ?? .max }
        .map { ambient_unsealed(ring[keyPath: $0]) }.filter { $0 != .max }.max().map { $0 << 3 }
    }
    contents.end = greatest(\.committed, \.committed_again)
    contents.start = greatest(\.drained, \.drained_again)
  }

  /// Whether a frame lies in the file where a ring of `capacity` bytes would have it; nil if all
  /// bytes of the file are zero. Reads the whole file, which has no valid header.
  private func hasFrame(
    _ file: FileDescriptor, _ size: Int, _ capacity: Int
  ) throws(Fault) -> Bool? {
    // A larger file cannot be a ring.
    guard size <= Self.size + capacities.upperBound else { return false }
    let all = try bytes(file, size, at: 0)
    guard all.contains(where: { $0 != 0 }) else { return nil }
    return all.withUnsafeBytes { all in
      stride(from: Self.size, through: all.count - RingFrame.headSize, by: RingFrame.alignment)
        .contains { offset in
          // Valid: a frame's head lies between the offset and the end of `all`. So does its
          // record if `ambient_frame_read` returns true. Any bytes are valid values of the frame's
          // fields.
          let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
          let position = rest.loadUnaligned(as: UInt64.self)
          var frame = RingFrame()
          guard position & UInt64(capacity - 1) == UInt64(offset - Self.size),
            position <= UInt64(1) << 51, let place = rest.baseAddress,
            ambient_frame_read(place, position, UInt64(rest.count), &frame)
          else { return false }
          return ambient_frame_is_intact(&frame, place + RingFrame.headSize)
        }
    }
  }

  private func bytes(
    _ file: FileDescriptor, _ count: Int, at place: Int
  ) throws(Fault) -> [UInt8] {
    try attempt(file.read(count, at: place), or: Fault.unreadable)
  }
}
