// SPDX-License-Identifier: Apache-2.0

extension FieldBytes {
  /// Creates the fields of a literal, without absent values. Returns nil if no field is left.
  ///
  /// A repeated name keeps its first position and takes its last value. The elements are taken from
  /// the end, for two reasons: the fields are written from the end of the memory to its start, and
  /// `popLast` moves an element, while copying or destroying an element calls the runtime's witness
  /// functions.
  init?(literal elements: consuming [(String, (any AmbientValueConvertible)?)]) {
    if elements.isEmpty { return nil }
    self.init()
    var rest = consume elements
    let count = rest.count
    var hasAbsent = false
    while case (let name, let value)? = rest.popLast() {
      if let value = consume value {
        if prepend(name, any: value) { hasAbsent = true }
      } else {
        prepend(name, .null, depth: 0)
        hasAbsent = true
      }
    }
    // `header.names` is a filter in which each name sets one bit. If it has as many bits set as
    // there are fields, all names differ.
    if header.names.nonzeroBitCount != count { keepLaterOfTwins(count) }
    guard hasAbsent else { return }
    removeAbsent()
    guard isEmpty else { return }
    ThreadMemory.keep(fields: memory)
    return nil
  }

  /// Puts a field with a value of any type before the other fields; returns whether the value is
  /// absent.
  ///
  /// The function is specialized for the usual types, whose `ambientValue` is then inlined. A value
  /// of another type is converted before anything is written, because the conversion runs code of
  /// that type, which may log.
  @_specialize(where Value == Int)
  @_specialize(where Value == String)
  @_specialize(where Value == Bool)
  @_specialize(where Value == Double)
  private mutating func prepend<Value: AmbientValueConvertible>(
    _ name: String, any value: Value
  ) -> Bool {
    let value = value.ambientValue
    prepend(name, value, depth: 0)
    return value.isAbsent
  }

  /// Resolves repeated names: each name keeps its first position and takes its last value. For more
  /// than 32 fields, builds an index (`IndexedFields`).
  @inline(never)
  private mutating func keepLaterOfTwins(_ count: Int) {
    guard count > IndexedFields.mostUnindexed else {
      while let (earlier, later) = read({ $0.twins() }) { replace(earlier, by: later) }
      return
    }
    let kept = IndexedFields(list)
    if kept.fields.count < count { self = FieldBytes(kept.fields) }
  }

  @inline(never)
  private mutating func removeAbsent() {
    var place = 0
    while let field = size(ofFieldAt: place) {
      if field.isAbsent { remove(at: place, size: field.size) } else { place += field.size }
    }
  }

  private func size(ofFieldAt place: Int) -> (size: Int, isAbsent: Bool)? {
    read { reader in
      var reader = reader.dropping(place)
      return reader.next().map { field in
        (field.size, field.kind == .null || field.kind == .fields && field.value.isEmpty)
      }
    }
  }
}
