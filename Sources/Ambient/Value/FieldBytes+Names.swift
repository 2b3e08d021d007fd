/// The names of fields, to look others up: one after another if they are few.
struct FieldNames {
  private let fields: FieldBytes
  private let names: UInt64
  private var table: Set<FieldName>?

  init(_ fields: FieldBytes) {
    self.fields = fields
    names = fields.header.names
    guard fields.header.end - fields.header.start > 2_048 else { return }
    table = fields.read { reader in
      var reader = reader
      var table: Set<FieldName> = []
      while let field = reader.next() { table.insert(FieldName(field.name)) }
      return table
    }
  }

  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    guard names & FieldHeader.bit(of: name) != 0 else { return false }
    if let table { return table.contains(FieldName(name)) }
    return fields.place(of: name) != nil
  }
}

extension FieldBytes {
  /// Puts those of the other fields before these whose names these do not have.
  @inline(never)
  mutating func prependOthers(_ other: FieldBytes) {
    let own = FieldNames(self)
    var kept: [(start: Int, size: Int)] = []
    other.read { reader in
      var reader = reader
      var place = 0
      while let field = reader.next() {
        if !own.contains(field.name) { kept.append((place, field.size)) }
        place += field.size
      }
    }
    let names = other.header.names
    let start = other.header.start
    insert(kept.reduce(0) { $0 + $1.size }, names) { target in
      other.memory.withUnsafeBytes { source in
        var place = target
        for piece in kept {
          let from = start + piece.start
          place = ShortCopy.copy(
            UnsafeRawBufferPointer(rebasing: source[from..<from + piece.size]), to: place)
        }
      }
    }
  }

  /// The field of that name: how far it stands from the first, and its size.
  func place(of name: UnsafeRawBufferPointer) -> (offset: Int, size: Int)? {
    read { reader in
      var reader = reader
      var offset = 0
      while let field = reader.next() {
        if field.name.hasSameBytes(as: name) {
          return (offset, field.size)
        }
        offset += field.size
      }
      return nil
    }
  }
}
