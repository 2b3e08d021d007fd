// SPDX-License-Identifier: Apache-2.0

/// The type of a field's value in ``FieldBytes``.
enum FieldKind: UInt8 {
  case null, boolean, integer, unsigned, double, string, date, array, fields
}

/// The header of a field: two 64-bit integers, which precede the field's name and value.
struct FieldHeader: BitwiseCopyable {
  private let tag: UInt64
  /// The hash of the name in the lower 16 bits, and above them the length of the value.
  private let sizeAndHash: UInt64

  static var size: Int { 16 }

  @inline(__always)
  init(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    let (isPlain, hash) = Self.look(at: name)
    tag = Self.tag(kind, form, name, isPlain)
    sizeAndHash = UInt64(value.count) << 16 | UInt64(hash)
  }

  /// The hash of the name.
  @inline(__always)
  var hash: UInt16 { UInt16(truncatingIfNeeded: sizeAndHash) }

  @inline(__always)
  private var nameSize: Int { Int(tag >> 16) }

  /// The name of the field that begins at `start`.
  @inline(__always)
  func name(at start: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    // The pointer is valid, since the name follows the two words of the header.
    UnsafeRawBufferPointer(start: start + Self.size, count: nameSize)
  }

  /// The length of the value, from the second word.
  @inline(__always)
  static func valueSize(_ word: UInt64) -> Int { Int(word >> 16) }

  /// Returns the tag, which encodes the kind, the form, the length of the name, and whether all
  /// formats may copy the name unchanged.
  @inline(__always)
  static func tag(_ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer) -> UInt64 {
    tag(kind, form, name, EscapeScan.isPlain(name))
  }

  @inline(__always)
  private static func tag(
    _ kind: FieldKind, _ form: TextForm, _ name: UnsafeRawBufferPointer, _ isPlain: Bool
  ) -> UInt64 {
    UInt64(kind.rawValue) | UInt64(form.rawValue) << 8 | (isPlain ? 1 << 10 : 0)
      | UInt64(name.count) << 16
  }

  /// Returns the bit that marks a value which is shown only because `AmbientPrivacy.isRevealing` is
  /// true (`AmbientValue.revealed`). `.private` and `.sensitive` have one bit each; `.public` has
  /// none, so the result is zero.
  static func mark(_ privacy: AmbientPrivacy) -> UInt64 {
    switch privacy {
    case .public: 0
    case .private: 1 << 11
    case .sensitive: 1 << 12
    }
  }

  /// Returns the privacy whose bit is set in the tag, or nil if no bit is set.
  static func privacy(_ tag: UInt64) -> AmbientPrivacy? {
    if tag & mark(.private) != 0 { return .private }
    return tag & mark(.sensitive(.hash)) != 0 ? .sensitive(.hash) : nil
  }

  /// The size of the whole field, in bytes.
  @inline(__always)
  var size: Int { Self.size &+ nameSize &+ Self.valueSize(sizeAndHash) }

  /// Writes the field.
  @inline(__always)
  func write(
    _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer
  ) {
    // The stores are valid, since the caller has reserved `size` bytes.
    target.storeBytes(of: tag, as: UInt64.self)
    target.storeBytes(of: sizeAndHash, toByteOffset: 8, as: UInt64.self)
    ShortCopy.copy(value, to: ShortCopy.copy(name, to: target + Self.size))
  }

  /// Returns whether all formats may copy the name unchanged, and the hash of the name. Reads the
  /// name only once, one word at a time.
  ///
  /// The hash is FxHash (rotation, exclusive or, multiplication). It is made from the upper bits of
  /// the product, because these depend on all bits of the name, and the lower bits do not.
  @inline(__always)
  private static func look(at name: UnsafeRawBufferPointer) -> (isPlain: Bool, hash: UInt16) {
    let count = name.count
    var isPlain = count > 0
    var sum = UInt64(truncatingIfNeeded: count)
    @inline(__always)
    func take(_ word: UInt64) {
      isPlain = isPlain && EscapeScan.isPlain(word)
      sum = ((sum << 5 | sum >> 59) ^ word) &* 0x94D0_49BB_1331_11EB
    }
    // Each load is valid, since it lies within the bytes. The last word may overlap the word before
    // it.
    switch count {
    case 8...:
      var place = 0
      while place &+ 8 < count {
        take(name.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place &+= 8
      }
      take(name.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    case 4..<8:
      let first = name.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let last = name.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      take(UInt64(first) | UInt64(last) << 32)
    case 1..<4: take(EscapeScan.word(ofUpToThree: name))
    default: break
    }
    return (isPlain, UInt16(truncatingIfNeeded: sum >> 48))
  }

  /// The hash of a name.
  @inline(__always)
  static func hash(of name: UnsafeRawBufferPointer) -> UInt16 { look(at: name).hash }

  /// Returns the bit that a name with this hash sets in a filter of 64 bits. The upper six bits of
  /// the hash choose the bit. If a filter lacks the bit, none of the filter's names has this hash.
  @inline(__always)
  static func bit(_ hash: UInt16) -> UInt64 { 1 &<< UInt64(hash >> 10) }
}
