internal import CAmbient

/// The file of a ``LineRing``: how it is made, and found again when its owner has died.
///
/// Its name begins with a dot and says nothing of the log's, so that what ships logs leaves it
/// alone. It is locked as long as its owner lives.
struct BufferFile: Sendable {
  /// The absolute path of the file that the lines are for.
  let target: String
  let folder: String
  private let stem: String

  static let suffix = ".buffer"
  private static var version: UInt32 { 1 }
  private static var magic: (CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar) {
    (65, 109, 98, 76, 105, 110, 101, 115)  // AmbLines
  }

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

  /// Makes a ring of that many bytes, a power of two.
  func make(capacity: Int) throws(SystemError) -> (ring: LineRing, path: String) {
    // Once more if somebody has taken it for what a dead one left, before it was locked.
    for _ in 0..<10 {
      let path =
        "\(folder)/\(stem)\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.suffix)"
      let file = try FileDescriptor.new(path)
      do throws(SystemError) {
        guard file.lockAtOnce(), !file.isRemoved else {
          file.close()
          Self.remove(path)
          continue
        }
        return (try make(in: file, capacity), path)
      } catch {
        Self.remove(path)
        throw error
      }
    }
    throw .unsupported
  }

  private func make(in file: FileDescriptor, _ capacity: Int) throws(SystemError) -> LineRing {
    let ring: LineRing
    do throws(SystemError) {
      if file.isRemote || target.utf8.count >= 3_072 { throw .unsupported }
      try file.allocate(LineRing.headerSize + capacity)
      ring = try LineRing(mapping: file, headerSize: LineRing.headerSize, capacity: capacity)
    } catch {
      file.close()
      throw error
    }
    let header = ring.buffer
    header.pointee.ring.magic = Self.magic
    header.pointee.ring.header_size = UInt32(LineRing.headerSize)
    header.pointee.ring.version = Self.version
    header.pointee.ring.capacity = UInt64(capacity)
    // Valid: the path is shorter than its place, whose rest is zero in a new file.
    withUnsafeMutableBytes(of: &header.pointee.path) { $0.copyBytes(from: target.utf8) }
    ring.note(drained: 0)
    // Last, and then the count: whoever finds neither knows that there was never a line.
    ambient_seal(header)
    ambient_count_store(&header.pointee.ring.committed, 0)
    return ring
  }

  /// The buffers of that file which are there, of the living and the dead.
  func paths() -> [String] {
    let names = (try? FileSystem.names(in: folder)) ?? []
    return names.filter { $0.hasPrefix(stem) && $0.hasSuffix(Self.suffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }

  /// What a dead owner left in the buffer; nil if the owner lives, or somebody else has taken it.
  func orphan(at path: String) throws(BufferFault) -> LineRing? {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.existing(path, toWrite: true)
    } catch {
      if error.isMissing { return nil }
      throw .unreadable(path: path, reason: error.description)
    }
    guard file.isOursAlone else {
      file.close()
      throw .foreign(path: path)
    }
    guard file.lockAtOnce(), !file.isRemoved else {
      file.close()
      return nil
    }
    do throws(BufferFault) {
      return try ring(of: file, at: path)
    } catch {
      file.close()
      throw error
    }
  }

  private func ring(of file: FileDescriptor, at path: String) throws(BufferFault) -> LineRing? {
    // Read, since what is cut short must not be mapped.
    let start = file.read(MemoryLayout<ambient_buffer>.size, at: 0)
    let isWhole = start.count == MemoryLayout<ambient_buffer>.size
    // Valid: there are as many bytes as the header has, which may have any value.
    var header =
      isWhole
      ? start.withUnsafeBytes { $0.loadUnaligned(as: ambient_buffer.self) } : ambient_buffer()
    if header.ring.check == 0, header.ring.committed == 0, isWhole || file.size == 0 {
      // Its owner died while it was made: it never had a line. Removed before the lock is given up,
      // so that an owner which lives, and has not locked it yet, finds it removed.
      Self.remove(path)
      file.close()
      return nil
    }
    guard isWhole else { throw .damaged(path: path, reason: "it has \(start.count) bytes") }
    guard withUnsafeBytes(of: &header.ring.magic, { $0.elementsEqual("AmbLines".utf8) }) else {
      throw .damaged(path: path, reason: "it does not begin with AmbLines")
    }
    guard header.ring.version == Self.version else {
      throw .otherVersion(path: path, version: Int(header.ring.version))
    }
    guard header.ring.check == ambient_buffer_check(&header),
      let capacity = Int(exactly: header.ring.capacity), capacity > 0,
      capacity & (capacity - 1) == 0,
      capacity <= 1 << 40, header.ring.header_size == LineRing.headerSize,
      file.size == LineRing.headerSize + capacity
    else { throw .damaged(path: path, reason: "its header is not what was written") }
    let (drained, committed) = (
      ambient_unsealed(header.ring.drained), ambient_unsealed(header.ring.committed)
    )
    guard drained <= committed, committed != .max, committed - drained <= capacity else {
      throw .damaged(path: path, reason: "its counts are not what was written")
    }
    do throws(SystemError) {
      let ring = try LineRing(
        mapping: file, headerSize: Int(header.ring.header_size), capacity: capacity)
      // Its owner may have died while it drained.
      ring.release()
      return ring
    } catch {
      throw .unreadable(path: path, reason: error.description)
    }
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
