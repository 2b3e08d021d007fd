extension AmbientFields {
  /// Returns these fields together with those of `other`. A name that both contain keeps its
  /// position in these fields, and takes its value from `other`.
  ///
  /// - Parameter other: The fields whose values take precedence. Names that only `other` contains
  ///   follow the names of these fields.
  /// - Returns: The merged fields; neither of the two is changed.
  public func merging(_ other: AmbientFields) -> AmbientFields {
    if isEmpty { return other }
    var merged = self
    for field in other.list { merged[field.name] = field.value }
    return merged
  }

  /// These fields, preceded by those fields of `other` whose names these fields do not contain.
  func preceded(by other: AmbientFields) -> AmbientFields {
    FieldBytes.joined(other.bytes, bytes).map { AmbientFields($0) } ?? self
  }

  /// The same fields sorted by name, at every depth.
  var sorted: AmbientFields {
    AmbientFields(
      list: list.sorted { FieldName($0.name) < FieldName($1.name) }
        .map { Field(name: $0.name, value: $0.value.sorted) })
  }
}
