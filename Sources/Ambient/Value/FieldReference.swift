// SPDX-License-Identifier: Apache-2.0

/// A reference to a field. The field's name is a literal, and its value is a part of a text.
struct FieldReference: BitwiseCopyable {
  private let tag: UInt64
  private let name: UnsafeRawPointer
  private let start: UInt32
  private let size: UInt32

  static var size: Int { MemoryLayout<FieldReference>.size }

  /// Refers to `size` bytes of a text from `start` on; nil if they end beyond 4 GiB, or if `name`
  /// has no address.
  @inline(__always)
  init?(
    _ kind: FieldKind, _ form: TextForm, name: UnsafeRawBufferPointer, start: Int, size: Int
  ) {
    guard start &+ size <= Int(UInt32.max), let base = name.baseAddress else { return nil }
    tag = FieldHeader.tag(kind, form, name: name)
    self.name = base
    self.start = UInt32(truncatingIfNeeded: start)
    self.size = UInt32(truncatingIfNeeded: size)
  }

  /// Returns the field to which this reference refers. The field's value is a part of `text`.
  @inline(__always)
  func field(of text: UnsafeRawPointer) -> FieldReader.Field {
    // The pointers are valid: the name's bytes are those of a literal, which live as long as the
    // program, and the value lies within the text.
    FieldReader.Field(
      tag, name: name,
      value: UnsafeRawBufferPointer(start: text + Int(start), count: Int(size)))
  }
}
