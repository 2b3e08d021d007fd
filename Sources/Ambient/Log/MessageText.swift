// SPDX-License-Identifier: Apache-2.0

/// The bytes of a message, in memory that the thread reuses, so that a usual message costs no
/// allocation; moving the value copies no bytes.
///
/// Parts of the text may be the values of named fields. References to these parts fill the end of
/// the memory, the newest reference at the lowest address.
struct MessageText: Sendable {
  /// The text, followed by free space and by the references. All bytes are initialized, so that
  /// appending is a plain copy.
  private(set) var memory: [UInt8]
  private(set) var count = 0
  /// The end of the space for text: the references begin here.
  private var limit: Int

  /// Creates an empty text in the thread's spare memory.
  init() {
    memory = ThreadMemory.withCurrent { $0.takeSpare() }
    limit = memory.count
  }

  /// Leaves the memory to the thread's next message. The array is moved, because a copy would cost
  /// a retain and a release: 8 ns.
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

/// The references to parts of the text that are the values of named fields.
extension MessageText {
  /// The maximum number of references in a text. The fields of a message with more names are stored
  /// in ``FieldBytes``, because its filter of names makes the search for a repeated name faster.
  private static let mostReferences = 8

  @inline(__always)
  var hasReferences: Bool { limit != memory.count }

  /// Adds a reference, so that the text from `start` on is the value of a field of that name.
  ///
  /// - Returns: False if another reference has the name, if there are `mostReferences` already, or
  ///   if a `FieldReference` cannot refer to the value.
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
      // Valid: the memory has room for the reference between the text and the other references.
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

  /// Calls `body` with a reader that returns the references as fields. The reader is valid until
  /// `body` returns.
  @inline(__always)
  func readReferences<R>(_ body: (FieldReader) -> R) -> R {
    memory.withUnsafeBytes { bytes in
      // Valid: the memory is never empty, so it has an address. The references are at its
      // end.
      let text = bytes.baseAddress.unsafelyUnwrapped
      return body(
        FieldReader(references: UnsafeRawBufferPointer(rebasing: bytes[limit...]), to: text))
    }
  }

  /// Removes the references and returns them as fields.
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

  /// Removes the references; their bytes stay, so that nothing is copied.
  @inline(__always)
  mutating func dropReferences() { limit = memory.count }
}

extension MessageText: ByteBuffer {
  /// Appends the bytes. Not inlined, so that one copy of the code stays warm in the instruction
  /// cache.
  @inline(never)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    let size = source.count
    if size > limit &- count { grow(by: size) }
    memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return }
      // The copy is valid, because the `size` bytes after `count` are free. They belong to this
      // text, so they do not overlap the source.
      ShortCopy.copy(start, to: UnsafeMutableRawPointer(first + count), size)
    }
    count &+= size
  }

  @inline(__always)
  mutating func append(capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
    if capacity > limit &- count { grow(by: capacity) }
    count &+= memory.withUnsafeMutableBufferPointer { memory in
      guard let first = memory.baseAddress else { return 0 }
      // The buffer is valid, because the `capacity` bytes after `count` are free.
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

  /// Appends ASCII bytes. The standard library calls this method to write a number. Without this
  /// method, it would first convert the number to a `String`.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(buffer))
  }
}
