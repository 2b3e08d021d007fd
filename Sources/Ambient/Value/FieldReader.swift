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
    /// The tag, for what is seldom asked.
    private let tag: UInt64

    @inline(__always)
    init(_ tag: UInt64, name: UnsafeRawPointer, value: UnsafeRawBufferPointer) {
      kind = FieldKind(rawValue: UInt8(truncatingIfNeeded: tag)) ?? .null
      isNamePlain = tag & 1 << 10 != 0
      form = TextForm(rawValue: UInt8(truncatingIfNeeded: tag >> 8) & 3) ?? .special
      self.name = UnsafeRawBufferPointer(start: name, count: Int(tag >> 16))
      self.value = value
      self.tag = tag
    }

    /// A value without a name.
    init(_ kind: FieldKind, _ form: TextForm, _ value: UnsafeRawBufferPointer) {
      self.kind = kind
      isNamePlain = false
      self.form = form
      name = UnsafeRawBufferPointer(start: nil, count: 0)
      self.value = value
      tag = 0
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
      // JSON has no infinity and no NaN: they are texts.
      case .double: form != .plain
      case .string, .date: form == .special ? nil : true
      case .array, .fields: nil
      }
    }

    /// What the value would be hidden as, if it is only shown because all is.
    var revealed: AmbientPrivacy? { FieldHeader.privacy(tag) }

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
    let valueSize = FieldHeader.valueSize(start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let name = start + FieldHeader.size
    let value = name + Int(tag >> 16)
    let end = value + valueSize
    left &-= end - start
    place = end
    return Field(
      tag, name: name, value: UnsafeRawBufferPointer(start: value, count: valueSize))
  }
  /// The field of that name and hash; names of other hashes are passed over.
  @inline(never)
  func place(of name: UnsafeRawBufferPointer, _ hash: UInt16) -> FieldPlace? {
    guard let start = place else { return nil }
    var offset = 0
    while offset < left {
      // Valid: a field begins here, as each is whole.
      let field = (start + offset).loadUnaligned(as: FieldHeader.self)
      if field.hash == hash, name.hasSameBytes(as: field.name(at: start + offset)) {
        return FieldPlace(offset: offset, size: field.size)
      }
      offset &+= field.size
    }
    return nil
  }

  /// The first field with the name of an earlier one, and that. Names are compared if their hashes
  /// are the same, and hashes if two other parts of them, a bit of 64 each, have come before.
  func twins() -> (earlier: FieldPlace, later: FieldPlace)? {
    guard let start = place else { return nil }
    var bits: (UInt64, UInt64) = (0, 0)
    var offset = 0
    while offset < left {
      // Valid: a field begins here, as each is whole.
      let field = (start + offset).loadUnaligned(as: FieldHeader.self)
      let bit = (FieldHeader.bit(field.hash), 1 &<< UInt64(field.hash))
      if bits.0 & bit.0 != 0, bits.1 & bit.1 != 0,
        let earlier = FieldReader(UnsafeRawBufferPointer(start: start, count: offset))
          .place(of: field.name(at: start + offset), field.hash)
      {
        return (earlier, FieldPlace(offset: offset, size: field.size))
      }
      bits = (bits.0 | bit.0, bits.1 | bit.1)
      offset &+= field.size
    }
    return nil
  }
}

/// Where a field stands among others.
struct FieldPlace {
  /// How far from the first, in bytes.
  let offset: Int
  /// How many bytes it takes.
  let size: Int
}
