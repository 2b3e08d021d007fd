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

  /// The bit of a tag that says that the value is not for everybody, and how it is hidden.
  static func mark(_ privacy: AmbientPrivacy) -> UInt64 {
    switch privacy {
    case .public: 0
    case .private: 1 << 11
    case .sensitive: 1 << 12
    }
  }

  /// What such a bit says; nil if there is none.
  static func privacy(_ tag: UInt64) -> AmbientPrivacy? {
    if tag & mark(.private) != 0 { return .private }
    return tag & mark(.sensitive(.hash)) != 0 ? .sensitive(.hash) : nil
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
    ShortCopy.copy(value, to: ShortCopy.copy(name, to: target + Self.size))
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
