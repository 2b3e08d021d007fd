/// Named values in the order in which they were written: a log record's metadata, or an event's
/// properties.
///
/// ```swift
/// let fields: AmbientFields = ["order": order.id, "total": order.total, "gift": true]
/// ```
///
/// What is nil or null is left out, and so is a group without fields; a name that comes twice keeps
/// its place and takes the later value. Two with the same names and values are equal, whatever
/// their order. Looking a name up takes time in proportion to the number of fields, which are few.
public struct AmbientFields: Sendable {
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
      let value = newValue.flatMap { $0.isAbsent ? nil : $0 }
      switch (value, fields.firstIndex { $0.name == name }) {
      case (let value?, let index?): fields[index] = Field(name: name, value: value)
      case (let value?, nil): fields.append(Field(name: name, value: value))
      case (nil, let index?): fields.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// These fields and those of `other`, whose values win.
  public func merging(_ other: AmbientFields) -> AmbientFields {
    if isEmpty { return other }
    var merged = self
    guard other.count > Self.few else {
      for field in other { merged[field.name] = field.value }
      return merged
    }
    var places = merged.places
    for field in other {
      if let place = places[field.name] {
        merged.fields[place] = field
      } else {
        places[field.name] = merged.count
        merged.fields.append(field)
      }
    }
    return merged
  }

  /// So many names are looked for one after another; for more, a table of places is made.
  fileprivate static var few: Int { 16 }

  /// Where each name stands.
  fileprivate var places: [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(fields.lazy.map(\.name), fields.indices))
  }

  /// The same fields in the order of their names, and those within them.
  var sorted: AmbientFields {
    var sorted = AmbientFields()
    sorted.fields = fields.sorted { $0.name < $1.name }
      .map { Field(name: $0.name, value: $0.value.sorted) }
    return sorted
  }
}

extension AmbientFields: Hashable {
  /// Whether both have the same names and values, in whatever order.
  public static func == (left: AmbientFields, right: AmbientFields) -> Bool {
    guard left.count == right.count else { return false }
    if left.fields.elementsEqual(right.fields) { return true }
    guard left.count > few else {
      return left.allSatisfy { right[$0.name] == $0.value }
    }
    let places = right.places
    return left.allSatisfy { field in places[field.name].map { right[$0] == field } ?? false }
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

extension AmbientFields {
  /// The values of a dictionary, in the order of their names.
  public init(_ values: [String: some AmbientValueConvertible]) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let value = value.ambientValue
      if !value.isAbsent { fields.append(Field(name: name, value: value)) }
    }
  }
}

extension AmbientFields: ExpressibleByDictionaryLiteral {
  /// Fields of mixed values; those that are nil are left out.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    fields.reserveCapacity(elements.count)
    // From the end, since taking the last moves it: copies, and what is left to destroy, go through
    // witnesses of the runtime's.
    var rest = elements
    var hasAbsent = false
    while case (let name, let value)? = rest.popLast() {
      var value = (consume value)?.ambientValue ?? .null
      if let later = fields.firstIndex(where: { $0.name == name }) {
        value = fields.remove(at: later).value
      }
      if value.isAbsent { hasAbsent = true }
      fields.append(Field(name: name, value: value))
    }
    if hasAbsent { fields.removeAll { $0.value.isAbsent } }
    for place in 0..<fields.count / 2 { fields.swapAt(place, fields.count - 1 - place) }
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
