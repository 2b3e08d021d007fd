// SPDX-License-Identifier: Apache-2.0

/// The name of a field, as a key.
///
/// Names are compared by bytes, because programs that read a line treat the two Unicode spellings
/// of `é` as two names.
package struct FieldName: Hashable, Sendable {
  let name: String

  package init(_ name: String) { self.name = name }

  init(_ bytes: UnsafeRawBufferPointer) { name = String(decoding: bytes, as: UTF8.self) }

  package static func == (left: FieldName, right: FieldName) -> Bool {
    left.name.withBytes { left in right.name.withBytes { left.hasSameBytes(as: $0) } }
  }

  package func hash(into hasher: inout Hasher) { name.withBytes { hasher.combine(bytes: $0) } }

  /// Whether the name sorts before the other, byte by byte.
  static func < (left: FieldName, right: FieldName) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

extension UnsafeRawBufferPointer {
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    // Valid: each load lies within both buffers; fewer than eight bytes remain after the loop.
    while place &+ 8 <= count {
      guard
        loadUnaligned(fromByteOffset: place, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      else { return false }
      place &+= 8
    }
    while place < count {
      guard self[place] == other[place] else { return false }
      place &+= 1
    }
    return true
  }
}
