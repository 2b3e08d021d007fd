/// What a field of ``FieldBytes`` is.
enum FieldKind: UInt8 {
  case null, boolean, integer, unsigned, double, string, date, array, fields
}

/// The two words before a field's name and value.
struct FieldHeader {
  private let tag: UInt64
  private let valueSize: Int
  /// The bit of the name among those of all names.
  let nameBit: UInt64

  static var size: Int { 16 }

  @inline(__always)
  init(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    tag = Self.tag(kind, form, name: name)
    valueSize = value.count
    nameBit = Self.bit(of: name)
  }

  /// What the field is, and the length of its name. A name is looked at once: whether all formats
  /// may copy it is noted here.
  @inline(__always)
  static func tag(_ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(kind.rawValue) | UInt64(form.rawValue) << 8 | (PlainText.isPlain(name) ? 1 << 10 : 0)
      | UInt64(name.count) << 16
  }

  /// The bytes that the whole field takes.
  @inline(__always)
  var size: Int { Self.size &+ Int(tag >> 16) &+ valueSize }

  /// Writes the field.
  @inline(__always)
  func write(
    _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer
  ) {
    // Valid: the caller has made room for `size` bytes.
    target.storeBytes(of: tag, as: UInt64.self)
    target.storeBytes(of: valueSize, toByteOffset: 8, as: Int.self)
    copy(value, to: copy(name, to: target + Self.size))
  }

  /// One bit of 64: names with different bits differ.
  @inline(__always)
  static func bit(of name: UnsafeRawBufferPointer) -> UInt64 {
    guard name.count > 0 else { return 1 }
    let (first, last) = (name[0], name[name.count &- 1])
    let mixed = UInt64(first) &* 7 &+ UInt64(last) &* 31 &+ UInt64(name.count)
    return 1 << (mixed & 63)
  }
}

/// Reads fields one after another: those of ``FieldBytes``, or those that a text has references to.
struct FieldReader {
  /// One field; its bytes are those of what is read.
  struct Field {
    let kind: FieldKind
    /// Whether all formats may copy the name as it is.
    let isNamePlain: Bool
    /// How the value's text may be copied.
    let form: TextForm
    let name: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer

    @inline(__always)
    init(_ tag: UInt64, name: UnsafeRawPointer, value: UnsafeRawBufferPointer) {
      kind = FieldKind(rawValue: UInt8(truncatingIfNeeded: tag)) ?? .null
      isNamePlain = tag & 1 << 10 != 0
      form = TextForm(rawValue: UInt8(truncatingIfNeeded: tag >> 8) & 3) ?? .special
      self.name = UnsafeRawBufferPointer(start: name, count: Int(tag >> 16))
      self.value = value
    }

    /// The bytes that the field takes.
    var size: Int { FieldHeader.size + name.count + value.count }

    /// The text of the value: dates have their bits before it.
    @inline(__always)
    var text: UnsafeRawBufferPointer {
      kind == .date ? UnsafeRawBufferPointer(rebasing: value[8...]) : value
    }

    /// Whether JSON has the text between quotation marks; nil if it is more than a copy.
    @inline(__always)
    var isQuotedInJSON: Bool? {
      switch kind {
      case .null, .boolean, .integer, .unsigned: false
      case .double: form != .plain
      case .string, .date: form == .special ? nil : true
      case .array, .fields: nil
      }
    }

    /// The fields within.
    var inner: FieldReader { FieldReader(value) }
  }

  private var place: UnsafeRawPointer?
  private var left: Int
  /// What the fields refer to, if they are references.
  private let text: UnsafeRawPointer?

  init(_ bytes: UnsafeRawBufferPointer) {
    place = bytes.baseAddress
    left = bytes.count
    text = nil
  }

  /// Reads references to a text, the last of them first.
  init(references: UnsafeRawBufferPointer, to text: UnsafeRawPointer) {
    place = references.baseAddress.map { $0 + references.count }
    left = references.count
    self.text = text
  }

  var isAtEnd: Bool { left == 0 }

  /// The rest, from that many bytes on, where a field begins.
  func dropping(_ count: Int) -> FieldReader {
    FieldReader(UnsafeRawBufferPointer(start: place.map { $0 + count }, count: left - count))
  }

  @inline(__always)
  mutating func next() -> Field? {
    guard left > 0, let start = place else { return nil }
    // Valid: whoever wrote the fields, or the references, wrote whole ones.
    if let text {
      let reference = start - FieldReference.size
      place = reference
      left &-= FieldReference.size
      return reference.loadUnaligned(as: FieldReference.self).field(of: text)
    }
    let tag = start.loadUnaligned(as: UInt64.self)
    let valueSize = start.loadUnaligned(fromByteOffset: 8, as: Int.self)
    let name = start + FieldHeader.size
    let value = name + Int(tag >> 16)
    let end = value + valueSize
    left &-= end - start
    place = end
    return Field(
      tag, name: name, value: UnsafeRawBufferPointer(start: value, count: valueSize))
  }
}

/// The names of fields, to look others up: one after another if they are few.
struct FieldNames {
  private let fields: FieldBytes
  private let names: UInt64
  private var table: Set<String>?

  init(_ fields: FieldBytes) {
    self.fields = fields
    names = fields.header.names
    guard fields.header.end - fields.header.start > 2_048 else { return }
    table = fields.read { reader in
      var reader = reader
      var table: Set<String> = []
      while let field = reader.next() { table.insert(String(decoding: field.name, as: UTF8.self)) }
      return table
    }
  }

  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    guard names & FieldHeader.bit(of: name) != 0 else { return false }
    if let table { return table.contains(String(decoding: name, as: UTF8.self)) }
    return fields.place(of: name) != nil
  }
}

extension FieldBytes {
  /// The field of that name: how far it stands from the first, and its size.
  func place(of name: UnsafeRawBufferPointer) -> (offset: Int, size: Int)? {
    read { reader in
      var reader = reader
      var offset = 0
      while let field = reader.next() {
        if field.name.count == name.count, field.name.elementsEqual(name) {
          return (offset, field.size)
        }
        offset += field.size
      }
      return nil
    }
  }
}
