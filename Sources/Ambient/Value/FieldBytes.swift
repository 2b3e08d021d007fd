// SPDX-License-Identifier: Apache-2.0

/// The named values of a literal, a scope or a record, encoded as bytes.
///
/// The fields are contiguous, with free space before and after them. A field is a header of two
/// words (first a tag and the length of the name, then the length of the value and the hash of the
/// name), then the name, then the value as text. Each format of a log's line writes this text, with
/// its own quotation marks and escapes. The value of an array or a group consists of fields. The
/// only stored property is one array, so that types which store a `FieldBytes` stay small.
struct FieldBytes: Sendable {
  /// The bytes of the header, of free space, of the fields, and of more free space. All bytes are
  /// initialized, so that writing a field is a plain copy.
  private(set) var memory: [UInt8]

  /// The bounds of the fields, and a filter of their names: each name's hash sets one of 64 bits.
  struct Header: BitwiseCopyable {
    var start: Int
    var end: Int
    var names: UInt64
  }

  static var headerSize: Int { MemoryLayout<Header>.size }

  /// Creates a value without fields, in spare memory of this thread. All of the free space is
  /// before the fields, since later fields are prepended.
  init() {
    memory = ThreadMemory.withCurrent { $0.takeFieldSpare() }
    let end = memory.count
    set(Header(start: end, end: end, names: 0))
  }

  /// Creates a value without fields, in spare memory of this thread. Half of the free space is
  /// before the fields and half is after them, so that fields can be added at both ends.
  init(forNames: Void) {
    memory = ThreadMemory.withCurrent { $0.takeFieldSpare() }
    let middle = memory.count / 2
    set(Header(start: middle, end: middle, names: 0))
  }

  @inline(__always)
  var header: Header {
    // The load is valid, since each initializer writes a header to the start of the memory.
    memory.withUnsafeBytes { $0.loadUnaligned(as: Header.self) }
  }

  @inline(__always)
  private mutating func set(_ header: Header) {
    // The store is valid, since the memory is never shorter than a header.
    memory.withUnsafeMutableBytes { $0.storeBytes(of: header, as: Header.self) }
  }

  var isEmpty: Bool {
    let header = header
    return header.start == header.end
  }

  /// Calls `body` with a reader of the fields. The reader is valid until `body` returns.
  @inline(__always)
  func read<R>(_ body: (FieldReader) -> R) -> R {
    memory.withUnsafeBytes { bytes in
      let header = bytes.loadUnaligned(as: Header.self)
      return body(FieldReader(UnsafeRawBufferPointer(rebasing: bytes[header.start..<header.end])))
    }
  }

  /// Adds a field before the other fields. No other field may have the same name. If `form` is nil,
  /// it is that of the value's bytes.
  ///
  /// It is not inlined, because each of its many callers calls it once for each way in which a
  /// string stores its bytes.
  @inline(never)
  mutating func prepend(
    _ kind: FieldKind, _ form: TextForm?, name: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer
  ) {
    let form = form ?? EscapeScan.form(of: value)
    put(FieldHeader(kind, form, name: name, value: value), name, value, atStart: true)
  }

  /// Writes a field before all other fields if `atStart` is true; otherwise after them.
  @inline(__always)
  private mutating func put(
    _ field: FieldHeader, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    atStart: Bool
  ) {
    // This is a local function, because the compiler would not inline a closure of this size.
    @inline(__always)
    func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
      guard
        let target = Self.room(
          in: bytes, for: field.size, FieldHeader.bit(field.hash), atStart: atStart)
      else { return false }
      field.write(name, value, to: target)
      return true
    }
    // `fill` reserves and writes in one access, because each access checks that the array is
    // uniquely owned.
    if memory.withUnsafeMutableBytes(fill) { return }
    grow(by: field.size, atStart: atStart)
    _ = memory.withUnsafeMutableBytes(fill)
  }

  /// Adds a field after the other fields. If a field with the same name exists, the new field
  /// replaces it at the same position.
  @inline(never)
  mutating func add(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    let field = FieldHeader(kind, form, name: name, value: value)
    let twin = place(of: name, field.hash)
    put(field, name, value, atStart: false)
    guard let twin else { return }
    let header = header
    replace(twin, by: FieldPlace(offset: header.end - header.start - field.size, size: field.size))
  }

  /// Replaces the field at `earlier` with the field at `later`, which is moved to that position.
  @inline(never)
  mutating func replace(_ earlier: FieldPlace, by later: FieldPlace) {
    let start = header.start
    memory.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let (source, target) = (base + start + later.offset, base + start + earlier.offset)
      withUnsafeTemporaryAllocation(byteCount: later.size, alignment: 1) { field in
        // The copies are valid, since all ranges lie within the fields. `copyMemory` allows the
        // source and the target to overlap.
        field.copyMemory(from: UnsafeRawBufferPointer(start: source, count: later.size))
        (target + later.size).copyMemory(from: target, byteCount: later.offset - earlier.offset)
        UnsafeMutableRawBufferPointer(start: target, count: later.size)
          .copyMemory(from: UnsafeRawBufferPointer(field))
      }
    }
    remove(at: earlier.offset + later.size, size: earlier.size)
  }

  /// Prepends each field of `other`, unless this value has a field of the same name.
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

  /// Returns the fields of `outer` and `inner`. For a name that both have, returns the value of
  /// `inner`.
  @inline(__always)
  static func joined(_ outer: FieldBytes?, _ inner: consuming FieldBytes?) -> FieldBytes? {
    guard let outer else { return inner }
    guard var all = inner else { return outer }
    all.prepend(outer)
    return all
  }

  /// Marks the field at `offset` as private or sensitive. The value of a marked field is shown only
  /// if ``AmbientPrivacy/isRevealing`` is true.
  mutating func mark(_ privacy: AmbientPrivacy, at offset: Int = 0) {
    AmbientPrivacy.noteRevealed()
    let start = header.start + offset
    memory.withUnsafeMutableBytes { bytes in
      // The load and the store are valid, since the caller must pass the offset of a field.
      let tag = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      bytes.storeBytes(of: tag | FieldHeader.mark(privacy), toByteOffset: start, as: UInt64.self)
    }
  }

  /// The same fields without free space, for fields that are stored for long. Returns `self` if the
  /// free space is at most 1,024 bytes.
  var compact: FieldBytes {
    let header = header
    let size = Self.headerSize + header.end - header.start
    guard memory.count > size + 1_024 else { return self }
    var copy = self
    memory.withUnsafeBytes { copy.memory = Array($0[header.start - Self.headerSize..<header.end]) }
    copy.set(Header(start: Self.headerSize, end: size, names: header.names))
    return copy
  }

  /// Removes the field of `size` bytes at `offset`.
  mutating func remove(at offset: Int, size: Int) {
    var header = header
    memory.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // The copy is valid, since both ranges lie within the fields. `copyMemory` allows them to
      // overlap.
      (base + header.start + size).copyMemory(from: base + header.start, byteCount: offset)
    }
    header.start += size
    set(header)
  }

  /// Reserves `size` bytes before the fields, and calls `write`, which must fill these bytes with
  /// fields. `names` has a bit for the hash of each of their names, and is added to the filter of
  /// names in the header.
  mutating func insert(
    _ size: Int, _ names: UInt64, _ write: (UnsafeMutableRawPointer) -> Void
  ) {
    if header.start - Self.headerSize < size { grow(by: size, atStart: true) }
    memory.withUnsafeMutableBytes { bytes in
      if let target = Self.room(in: bytes, for: size, names, atStart: true) { write(target) }
    }
  }

  /// Reserves `size` bytes before or after the fields, adds the names to the filter, and returns a
  /// pointer to the reserved bytes. Returns nil if the free space is too small.
  @inline(__always)
  private static func room(
    in bytes: UnsafeMutableRawBufferPointer, for size: Int, _ names: UInt64, atStart: Bool
  ) -> UnsafeMutableRawPointer? {
    guard let base = bytes.baseAddress else { return nil }
    // The load and the store are valid, since the memory begins with a header.
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
