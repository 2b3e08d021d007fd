/// Named values as tagged bytes: those of a literal, of a scope and of a record.
///
/// The fields are contiguous, with room for others before and after them. A field is a header of
/// two words (a tag and the length of the name; the length of the value and the hash of the name),
/// the name, and the value as the text that all formats write; arrays and groups contain fields.
/// The only stored property is one array, so that a value that holds it stays small.
struct FieldBytes: Sendable {
  /// The header, free space, the fields, and free space again. All bytes are initialized, so that
  /// writing is a plain copy.
  private(set) var memory: [UInt8]

  /// The bounds of the fields, and a filter of their names: each name's hash sets one of 64 bits.
  struct Header: BitwiseCopyable {
    var start: Int
    var end: Int
    var names: UInt64
  }

  static var headerSize: Int { MemoryLayout<Header>.size }

  /// No fields, in spare memory of this thread; fields are added from its end to its start.
  init() {
    memory = ThreadMemory.withCurrent { $0.takeFieldSpare() }
    let end = memory.count
    set(Header(start: end, end: end, names: 0))
  }

  /// No fields, in the middle of spare memory of this thread: fields can be added at both ends.
  init(forNames: Void) {
    memory = ThreadMemory.withCurrent { $0.takeFieldSpare() }
    let middle = memory.count / 2
    set(Header(start: middle, end: middle, names: 0))
  }

  @inline(__always)
  var header: Header {
    // Valid: memory begins with a header, which each initializer writes.
    memory.withUnsafeBytes { $0.loadUnaligned(as: Header.self) }
  }

  @inline(__always)
  private mutating func set(_ header: Header) {
    // Valid: memory is never shorter than a header.
    memory.withUnsafeMutableBytes { $0.storeBytes(of: header, as: Header.self) }
  }

  var isEmpty: Bool {
    let header = header
    return header.start == header.end
  }

  /// Calls `body` with a reader of the fields, which is valid until it returns.
  @inline(__always)
  func read<R>(_ body: (FieldReader) -> R) -> R {
    memory.withUnsafeBytes { bytes in
      let header = bytes.loadUnaligned(as: Header.self)
      return body(FieldReader(UnsafeRawBufferPointer(rebasing: bytes[header.start..<header.end])))
    }
  }

  /// Puts a field before the others, none of which may have its name.
  @inline(__always)
  mutating func prepend(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    put(FieldHeader(kind, form, name: name, value: value), name, value, atStart: true)
  }

  /// Writes a field before the others, or after them.
  @inline(never)
  private mutating func put(
    _ field: FieldHeader, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    atStart: Bool
  ) {
    // A local function, since a closure of this size would not be inlined.
    @inline(__always)
    func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
      guard
        let target = Self.room(
          in: bytes, for: field.size, FieldHeader.bit(field.hash), atStart: atStart)
      else { return false }
      field.write(name, value, to: target)
      return true
    }
    // A single access of the memory, since each access checks that the array is uniquely owned.
    if memory.withUnsafeMutableBytes(fill) { return }
    grow(by: field.size, atStart: atStart)
    _ = memory.withUnsafeMutableBytes(fill)
  }

  /// Puts a field after the others; if one has the same name, the new field replaces it in its
  /// position.
  @inline(__always)
  mutating func add(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    let field = FieldHeader(kind, form, name: name, value: value)
    guard let twin = place(of: name, field.hash) else {
      return put(field, name, value, atStart: false)
    }
    put(field, name, value, atStart: false)
    let header = header
    replace(twin, by: FieldPlace(offset: header.end - header.start - field.size, size: field.size))
  }

  /// Moves a field to the position of an earlier one, which it replaces.
  @inline(never)
  mutating func replace(_ earlier: FieldPlace, by later: FieldPlace) {
    let start = header.start
    memory.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let (source, target) = (base + start + later.offset, base + start + earlier.offset)
      withUnsafeTemporaryAllocation(byteCount: later.size, alignment: 1) { field in
        // Valid: all ranges lie among the fields; the moved bytes may overlap their new place.
        field.copyMemory(from: UnsafeRawBufferPointer(start: source, count: later.size))
        (target + later.size).copyMemory(from: target, byteCount: later.offset - earlier.offset)
        UnsafeMutableRawBufferPointer(start: target, count: later.size)
          .copyMemory(from: UnsafeRawBufferPointer(field))
      }
    }
    remove(at: earlier.offset + later.size, size: earlier.size)
  }

  /// Prepends those fields of `other` whose names are not here yet.
  mutating func prepend(_ other: FieldBytes) {
    let theirs = other.header
    if theirs.names & header.names == 0 {
      other.memory.withUnsafeBytes { source in
        let all = UnsafeRawBufferPointer(rebasing: source[theirs.start..<theirs.end])
        insert(all.count, theirs.names) { ShortCopy.copy(all, to: $0) }
      }
    } else {
      prependOthers(other)
    }
  }

  /// The fields of both; the inner value wins where they share a name.
  @inline(__always)
  static func joined(_ outer: FieldBytes?, _ inner: consuming FieldBytes?) -> FieldBytes? {
    guard let outer else { return inner }
    guard var all = inner else { return outer }
    all.prepend(outer)
    return all
  }

  /// Marks the field at that offset as hidden: only ``AmbientPrivacy/isRevealing`` shows its value.
  mutating func mark(_ privacy: AmbientPrivacy, at offset: Int = 0) {
    AmbientPrivacy.noteRevealed()
    let start = header.start + offset
    memory.withUnsafeMutableBytes { bytes in
      // Valid by the caller's contract: a field begins there.
      let tag = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      bytes.storeBytes(of: tag | FieldHeader.mark(privacy), toByteOffset: start, as: UInt64.self)
    }
  }

  /// The same fields without the spare memory, if that is large: for fields that are kept long.
  var compact: FieldBytes {
    let header = header
    let size = Self.headerSize + header.end - header.start
    guard memory.count > size + 1_024 else { return self }
    var copy = self
    memory.withUnsafeBytes { copy.memory = Array($0[header.start - Self.headerSize..<header.end]) }
    copy.set(Header(start: Self.headerSize, end: size, names: header.names))
    return copy
  }

  /// Removes the field at that offset.
  mutating func remove(at offset: Int, size: Int) {
    var header = header
    memory.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // Valid: both ranges lie among the fields; they may overlap.
      (base + header.start + size).copyMemory(from: base + header.start, byteCount: offset)
    }
    header.start += size
    set(header)
  }

  /// Makes room before the fields, lets `write` fill it, and adds the names to the filter.
  mutating func insert(
    _ size: Int, _ names: UInt64, _ write: (UnsafeMutableRawPointer) -> Void
  ) {
    if header.start - Self.headerSize < size { grow(by: size, atStart: true) }
    memory.withUnsafeMutableBytes { bytes in
      if let target = Self.room(in: bytes, for: size, names, atStart: true) { write(target) }
    }
  }

  /// Takes room in the memory, and adds the names to the filter; nil if there is no room.
  @inline(__always)
  private static func room(
    in bytes: UnsafeMutableRawBufferPointer, for size: Int, _ names: UInt64, atStart: Bool
  ) -> UnsafeMutableRawPointer? {
    guard let base = bytes.baseAddress else { return nil }
    // Valid: memory begins with a header, and the returned pointer has `size` bytes.
    var header = base.load(as: Header.self)
    let place: Int
    if atStart {
      guard header.start &- headerSize >= size else { return nil }
      header.start &-= size
      place = header.start
    } else {
      guard bytes.count &- header.end >= size else { return nil }
      place = header.end
      header.end &+= size
    }
    header.names |= names
    base.storeBytes(of: header, as: Header.self)
    return base + place
  }

  @inline(never)
  private mutating func grow(by size: Int, atStart: Bool) {
    var header = header
    let count = header.end - header.start
    var larger = [UInt8](repeating: 0, count: 2 * memory.count + 2 * size)
    let start = atStart ? larger.count - count : Self.headerSize
    larger.withUnsafeMutableBytes { target in
      memory.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: target[start..<start + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[header.start..<header.end]))
      }
    }
    memory = larger
    header.start = start
    header.end = start + count
    set(header)
  }
}
