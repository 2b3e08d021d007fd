// SPDX-License-Identifier: Apache-2.0

/// The names of a list of fields, for look-ups. A look-up among up to 32 names compares them one by
/// one; a look-up among more names uses an index.
struct FieldNames {
  private let bits: UInt64
  private var index: Set<FieldName>?

  init(_ fields: FieldBytes) {
    bits = fields.header.names
    guard fields.count > IndexedFields.mostUnindexed else { return }
    index = Set(fields.list.map { FieldName($0.name) })
  }

  /// Whether one of the fields has the name. `reader` must read these fields, because this value
  /// does not store them.
  func contains(_ name: UnsafeRawBufferPointer, _ reader: FieldReader) -> Bool {
    let hash = FieldHeader.hash(of: name)
    guard bits & FieldHeader.bit(hash) != 0 else { return false }
    if let index { return index.contains(FieldName(name)) }
    return reader.place(of: name, hash) != nil
  }
}

extension FieldBytes {
  /// Prepends those fields of `other` whose names do not occur in this list yet.
  ///
  /// Makes two passes: the first measures the fields, so that room can be made before the second
  /// copies them.
  @inline(never)
  mutating func prependOthers(_ other: FieldBytes) {
    let names = FieldNames(self)
    let size = read { own in
      var size = 0
      other.readOthers(than: names, own) { size += $0.count }
      return size
    }
    let count = header.end - header.start
    insert(size, other.header.names) { target in
      var place = target
      // Valid: this list's own fields, `count` bytes, follow the `size` reserved bytes.
      let own = FieldReader(UnsafeRawBufferPointer(start: target + size, count: count))
      other.readOthers(than: names, own) { place = ShortCopy.copy($0, to: place) }
    }
  }

  /// Calls `body` with the bytes of each field whose name is not in `names`. `own` must read the
  /// fields from which `names` was made.
  @inline(__always)
  private func readOthers(
    than names: FieldNames, _ own: FieldReader, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    read { reader in
      var reader = reader
      while let field = reader.next() {
        if names.contains(field.name, own) { continue }
        // The pointer is valid, because the header of a field lies directly before the name.
        body(
          UnsafeRawBufferPointer(
            start: field.name.baseAddress.map { $0 - FieldHeader.size }, count: field.size))
      }
    }
  }

  /// The position of the field called `name`; nil if there is none.
  func place(of name: UnsafeRawBufferPointer) -> FieldPlace? {
    place(of: name, FieldHeader.hash(of: name))
  }

  /// The position of the field called `name`, whose hash is `hash`; nil if there is none.
  @inline(__always)
  func place(of name: UnsafeRawBufferPointer, _ hash: UInt16) -> FieldPlace? {
    guard header.names & FieldHeader.bit(hash) != 0 else { return nil }
    return read { $0.place(of: name, hash) }
  }
}
