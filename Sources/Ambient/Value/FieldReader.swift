// SPDX-License-Identifier: Apache-2.0

/// Reads fields one after another, either from ``FieldBytes``, or from a list of `FieldReference`s,
/// which refer to values in a message's text.
struct FieldReader {
  /// A field, whose `name` and `value` point into the bytes that the reader reads.
  struct Field {
    let kind: FieldKind
    /// Whether all formats may copy the name as it is.
    let isNamePlain: Bool
    /// The form in which the value's text may be copied.
    let form: TextForm
    let name: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
    /// The tag, from which `revealed` reads the privacy.
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

    /// The number of bytes that the field takes.
    var size: Int { FieldHeader.size + name.count + value.count }

    /// The text of the value; in a date's value, the text follows 8 bytes of binary form.
    @inline(__always)
    var text: UnsafeRawBufferPointer {
      kind == .date ? UnsafeRawBufferPointer(rebasing: value[8...]) : value
    }

    /// Whether JSON puts the text between quotation marks. Nil if the value cannot be copied to
    /// JSON unchanged.
    @inline(__always)
    var isQuotedInJSON: Bool? {
      switch kind {
      case .null, .boolean, .integer, .unsigned: false
      // JSON has no numbers for infinity and NaN, so their texts are quoted.
      case .double: form != .plain
      case .string, .date: form == .special ? nil : true
      case .array, .fields: nil
      }
    }

    /// The privacy with which the program marked the value, if the value is shown only because
    /// ``AmbientPrivacy/isRevealing`` is true; otherwise nil.
    var revealed: AmbientPrivacy? { FieldHeader.privacy(tag) }

    /// The contained fields.
    var inner: FieldReader { FieldReader(value) }
  }

  private var place: UnsafeRawPointer?
  private var left: Int
  /// The text that contains the values, if the reader reads references; nil if the reader reads
  /// whole fields.
  private let text: UnsafeRawPointer?

  init(_ bytes: UnsafeRawBufferPointer) {
    place = bytes.baseAddress
    left = bytes.count
    text = nil
  }

  /// Creates a reader of references to a text. It reads them from the end of their memory to its
  /// start, because the oldest reference is at the end.
  init(references: UnsafeRawBufferPointer, to text: UnsafeRawPointer) {
    place = references.baseAddress.map { $0 + references.count }
    left = references.count
    self.text = text
  }

  var isAtEnd: Bool { left == 0 }

  /// Returns a reader of the bytes after the first `count` bytes. A field must begin at that
  /// offset.
  func dropping(_ count: Int) -> FieldReader {
    FieldReader(UnsafeRawBufferPointer(start: place.map { $0 + count }, count: left - count))
  }

  @inline(__always)
  mutating func next() -> Field? {
    guard left > 0, let start = place else { return nil }
    // The loads are valid, since only whole fields and whole references are written.
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
  /// Returns the position and the size of the field called `name`, or nil if there is none. `hash`
  /// must be the hash of `name`, since only the names of fields with that hash are compared.
  @inline(never)
  func place(of name: UnsafeRawBufferPointer, _ hash: UInt16) -> FieldPlace? {
    guard let start = place else { return nil }
    var offset = 0
    while offset < left {
      // The load is valid: only whole fields are written, and `offset` is the sum of the sizes of
      // the fields before this one.
      let field = (start + offset).loadUnaligned(as: FieldHeader.self)
      if field.hash == hash, name.hasSameBytes(as: field.name(at: start + offset)) {
        return FieldPlace(offset: offset, size: field.size)
      }
      offset &+= field.size
    }
    return nil
  }

  /// Returns the first field that has the name of an earlier field, together with the earlier
  /// field. Returns nil if all names differ.
  ///
  /// Two filters of 64 bits, which use different bits of the hash, show for most names that no
  /// earlier field has the name. Only a name that is in both filters is compared with the earlier
  /// names.
  func twins() -> (earlier: FieldPlace, later: FieldPlace)? {
    guard let start = place else { return nil }
    var bits: (UInt64, UInt64) = (0, 0)
    var offset = 0
    while offset < left {
      // The load is valid: only whole fields are written, and `offset` is the sum of the sizes of
      // the fields before this one.
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

/// The position and the size of a field among other fields.
struct FieldPlace {
  /// The distance from the start of the first field to the start of this one, in bytes.
  let offset: Int
  /// The size of the field, in bytes.
  let size: Int
}
