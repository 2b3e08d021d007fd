extension AmbientFields {
  /// These fields and those of `other`, whose values win, at the places of these.
  public func merging(_ other: AmbientFields) -> AmbientFields {
    if isEmpty { return other }
    let others = other.list
    guard others.count > Self.few else {
      var merged = AmbientFields(list: list)
      for field in others { merged[field.name] = field.value }
      return merged
    }
    var merged = list
    var places = Self.places(merged)
    for field in others {
      let name = FieldName(field.name)
      if let place = places[name] {
        merged[place] = field
      } else {
        places[name] = merged.count
        merged.append(field)
      }
    }
    return AmbientFields(list: merged)
  }

  /// So many names are looked for one after another; for more, a table of places is made.
  private static var few: Int { 16 }

  /// Where each name stands.
  static func places(_ fields: [Field]) -> [FieldName: Int] {
    var places: [FieldName: Int] = [:]
    places.reserveCapacity(fields.count)
    for (place, field) in fields.enumerated() { places[FieldName(field.name)] = place }
    return places
  }

  /// The same fields in the order of their names, and those within them.
  var sorted: AmbientFields {
    AmbientFields(
      list: list.sorted { FieldName($0.name) < FieldName($1.name) }
        .map { Field(name: $0.name, value: $0.value.sorted) })
  }
}

extension AmbientFields: Hashable {
  /// Whether both have the same names and values, in whatever order.
  public static func == (left: AmbientFields, right: AmbientFields) -> Bool {
    let (left, right) = (left.list, right.list)
    guard left.count == right.count else { return false }
    if left == right { return true }
    guard left.count > few else {
      return left.allSatisfy { field in right.contains(field) }
    }
    let places = places(right)
    return left.allSatisfy { field in
      places[FieldName(field.name)].map { right[$0] == field } ?? false
    }
  }

  /// Hashes the fields, so that their order does not count.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for field in self {
      var element = Hasher()
      element.combine(field)
      sum &+= element.finalize()
    }
    hasher.combine(sum)
  }
}
