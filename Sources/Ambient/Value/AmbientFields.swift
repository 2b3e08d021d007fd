/// Named values in the order in which they were written: a log record's metadata, or an event's
/// properties.
///
/// ```swift
/// let fields: AmbientFields = ["order": order.id, "total": order.total, "gift": true]
/// ```
///
/// Null values are left out; a name that comes twice keeps its place and takes the later value.
/// Looking a name up takes time in proportion to the number of fields, which are few.
public struct AmbientFields: Hashable, Sendable {
  /// One named value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value, never null.
    public let value: AmbientValue
  }

  @usableFromInline var fields: [Field] = []

  /// No fields.
  @inlinable
  public init() {}

  /// The value of that name; assigning null, or `nil`, removes it.
  public subscript(name: String) -> AmbientValue? {
    get { fields.first { $0.name == name }?.value }
    set {
      let index = fields.firstIndex { $0.name == name }
      switch (newValue ?? .null, index) {
      case (.null, let index?): fields.remove(at: index)
      case (.null, nil): break
      case (let value, let index?): fields[index] = Field(name: name, value: value)
      case (let value, nil): fields.append(Field(name: name, value: value))
      }
    }
  }

  /// These fields and those of `other`, whose values win.
  public func merging(_ other: AmbientFields) -> AmbientFields {
    if isEmpty { return other }
    var merged = self
    for field in other { merged[field.name] = field.value }
    return merged
  }
}

extension AmbientFields {
  /// The values of a dictionary, in the order of their names.
  public init(_ values: [String: some AmbientValueConvertible]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { self[name] = value.ambientValue }
  }
}

extension AmbientFields: ExpressibleByDictionaryLiteral {
  /// Fields of mixed values.
  public init(dictionaryLiteral elements: (String, any AmbientValueConvertible)...) {
    fields.reserveCapacity(elements.count)
    for (name, value) in elements {
      let value = value.ambientValue
      if fields.contains(where: { $0.name == name }) {
        self[name] = value
      } else if !value.isNull {
        fields.append(Field(name: name, value: value))
      }
    }
  }
}

extension AmbientFields: RandomAccessCollection {
  /// The place of the first field.
  public var startIndex: Int { 0 }

  /// The place after the last field.
  public var endIndex: Int { fields.count }

  /// The field at that place.
  public subscript(position: Int) -> Field { fields[position] }
}

extension AmbientFields: AmbientValueConvertible {
  /// The fields as one value.
  public var ambientValue: AmbientValue { .fields(self) }
}
