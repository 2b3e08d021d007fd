/// The names of fields, to look others up: one after another up to 32, by an index above.
struct FieldNames {
  private let bits: UInt64
  private var index: Set<FieldName>?

  init(_ fields: FieldBytes) {
    bits = fields.header.names
    guard fields.count > FieldIndex.least else { return }
    index = Set(fields.list.map { FieldName($0.name) })
  }

  /// Whether the name is one of those of the fields, which `reader` reads.
  func contains(_ name: UnsafeRawBufferPointer, _ reader: FieldReader) -> Bool {
    let hash = FieldHeader.hash(of: name)
    guard bits & FieldHeader.bit(hash) != 0 else { return false }
    if let index { return index.contains(FieldName(name)) }
    return reader.place(of: name, hash) != nil
  }
}

extension FieldBytes {
  /// Puts those of the other fields before these whose names these do not have.
  ///
  /// In two passes, since there is room for so much before these only when its size is known.
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
      // Valid: these fields stand behind the room that was made.
      let own = FieldReader(UnsafeRawBufferPointer(start: target + size, count: count))
      other.readOthers(than: names, own) { place = ShortCopy.copy($0, to: place) }
    }
  }

  /// Calls `body` with the bytes of each field whose name is none of `names`, which `own` reads.
  @inline(__always)
  private func readOthers(
    than names: FieldNames, _ own: FieldReader, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    read { reader in
      var reader = reader
      while let field = reader.next() {
        if names.contains(field.name, own) { continue }
        // Valid: the header of a field stands before its name.
        body(
          UnsafeRawBufferPointer(
            start: field.name.baseAddress.map { $0 - FieldHeader.size }, count: field.size))
      }
    }
  }

  /// The field of that name.
  func place(of name: UnsafeRawBufferPointer) -> FieldPlace? {
    place(of: name, FieldHeader.hash(of: name))
  }

  /// The field of that name, whose hash is known.
  @inline(__always)
  func place(of name: UnsafeRawBufferPointer, _ hash: UInt16) -> FieldPlace? {
    guard header.names & FieldHeader.bit(hash) != 0 else { return nil }
    return read { $0.place(of: name, hash) }
  }
}
