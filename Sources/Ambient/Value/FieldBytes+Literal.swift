extension FieldBytes {
  /// Fields of a literal: of two with one name, the later value at the earlier place; none that is
  /// absent, and nil if that leaves none.
  ///
  /// From the end, as they are put before each other: to take the last moves it, while copies, and
  /// what is left to destroy, go through witnesses of the runtime's.
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
    // As many bits as names: no two are the same.
    if header.names.nonzeroBitCount != count { keepLaterOfTwins(count) }
    guard hasAbsent else { return }
    removeAbsent()
    guard isEmpty else { return }
    ThreadMemory.keep(fields: memory)
    return nil
  }

  /// Puts a value of any type before the others; whether it counts as absent.
  ///
  /// Specialised for the usual types: these versions know how to make the value. One of another
  /// type is asked for it before anything is written, since its code may log.
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

  /// Of two fields with one name, keeps the later value at the earlier place; an index finds them
  /// among many.
  @inline(never)
  private mutating func keepLaterOfTwins(_ count: Int) {
    guard count > FieldIndex.least else {
      while let (earlier, later) = read({ $0.twins() }) { replace(earlier, by: later) }
      return
    }
    let kept = FieldIndex(list)
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
