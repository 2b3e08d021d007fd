/// The bytes of a message. They stand in memory that its thread uses again and again, so that a
/// usual message costs no allocation, and moving one costs nothing.
///
/// Parts of it may have names: references to them stand at the end of the memory, the first of them
/// last.
struct MessageText: Sendable {
  /// All of it has a value, so that appending is a copy and no more; the text is its start.
  private(set) var memory: [UInt8]
  private(set) var count = 0
  /// Where the text must end: here the references begin.
  private var limit: Int

  /// An empty text in the memory that this thread has to spare.
  init() {
    memory = ThreadMemory.withCurrent { $0.takeSpare() }
    limit = memory.count
  }

  /// Leaves the memory to the thread's next message; moved, since a retain and a release cost 8 ns.
  @inline(__always)
  mutating func giveBack() {
    var given: [UInt8] = []
    swap(&given, &memory)
    ThreadMemory.keep(given)
  }

  var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the bytes, which are valid until it returns.
  @inline(__always)
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    memory.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    let references = Array(memory[limit...])
    let more = max(memory.count, room)
    memory.append(contentsOf: repeatElement(0, count: more))
    limit = memory.count - references.count
    memory.replaceSubrange(limit..., with: references)
  }
}

/// Parts that have names.
extension MessageText {
  /// More names than these are found faster in ``FieldBytes``.
  private static let mostReferences = 8

  @inline(__always)
  var hasReferences: Bool { limit != memory.count }

  /// Notes that the text from `start` on is the value of a field of that name.
  ///
  /// - Returns: Whether it could: not if another has the name, or there are many.
  @inline(__always)
  mutating func refer(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, from start: Int
  ) -> Bool {
    guard !hasReferences || isNew(name),
      let reference = FieldReference(kind, form, name: name, start: start, size: count &- start)
    else { return false }
    if limit &- count < FieldReference.size { grow(by: FieldReference.size) }
    limit &-= FieldReference.size
    let place = limit
    memory.withUnsafeMutableBytes {
      // Valid: there is room between the text and the other references.
      $0.storeBytes(of: reference, toByteOffset: place, as: FieldReference.self)
    }
    return true
  }

  private func isNew(_ name: UnsafeRawBufferPointer) -> Bool {
    guard memory.count &- limit < Self.mostReferences * FieldReference.size else { return false }
    return readReferences { reader in
      var reader = reader
      while let field = reader.next() {
        if field.name.hasSameBytes(as: name) { return false }
      }
      return true
    }
  }

  /// Calls `body` with what reads the parts as fields, valid until it returns.
  @inline(__always)
  func readReferences<R>(_ body: (FieldReader) -> R) -> R {
    memory.withUnsafeBytes { bytes in
      // Valid: the memory always has a start, as it is never empty, and the references end it.
      let text = bytes.baseAddress.unsafelyUnwrapped
      return body(
        FieldReader(references: UnsafeRawBufferPointer(rebasing: bytes[limit...]), to: text))
    }
  }

  /// Takes out the references: the fields that they stand for.
  @inline(never)
  mutating func takeReferences() -> FieldBytes {
    var fields = FieldBytes(forNames: ())
    readReferences { reader in
      var reader = reader
      while let field = reader.next() {
        fields.add(field.kind, field.form, name: field.name, value: field.value)
      }
    }
    dropReferences()
    return fields
  }

  /// Forgets the references; their bytes stay, so that nothing is copied.
  @inline(__always)
  mutating func dropReferences() { limit = memory.count }
}

extension MessageText: ByteBuffer {
  /// Not inlined: one copy of the code stays warm in the instruction cache.
  @inline(never)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    let size = source.count
    if size > limit &- count { grow(by: size) }
    memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      // Valid: there is room, which is the text's own and does not overlap the source.
      ShortCopy.copy(start, to: UnsafeMutableRawPointer(first + count), size)
    }
    count &+= size
  }

  @inline(__always)
  mutating func append(capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
    if capacity > limit &- count { grow(by: capacity) }
    count &+= memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return 0 }
      // Valid: there is room.
      return body(UnsafeMutableRawBufferPointer(start: first + count, count: capacity))
    }
  }
}

extension MessageText: Hashable {
  static func == (left: MessageText, right: MessageText) -> Bool {
    left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
  }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}

extension MessageText: TextOutputStream {
  mutating func write(_ string: String) { append(string) }

  /// How the standard library writes numbers: without it, each would become a string first.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(buffer))
  }
}
