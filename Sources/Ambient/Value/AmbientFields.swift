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

  /// What is written as a literal is bytes until somebody looks at the fields.
  private enum Storage: Sendable {
    case list([Field])
    case bytes(FieldBytes)
  }

  private var storage: Storage

  /// No fields.
  public init() { storage = .list([]) }

  init(list: [Field]) { storage = .list(list) }

  init(_ bytes: FieldBytes) { storage = .bytes(bytes) }

  /// The fields, each with a name of its own.
  var list: [Field] {
    switch storage {
    case .list(let list): list
    case .bytes(let bytes): bytes.list
    }
  }

  /// The fields as bytes; nil if there are none.
  @inline(__always)
  var bytes: FieldBytes? {
    switch storage {
    case .bytes(let bytes): bytes
    case .list(let list): list.isEmpty ? nil : FieldBytes(list)
    }
  }

  /// Gives the memory of a literal back to the thread, for its next one.
  func giveBack() {
    if case .bytes(let bytes) = storage { ThreadMemory.keep(fields: bytes.memory) }
  }

  /// Changes the list in its place.
  private mutating func change<R>(_ body: (inout [Field]) -> R) -> R {
    var list = list
    storage = .list([])
    defer { storage = .list(list) }
    return body(&list)
  }

  /// The value of that name; assigning null, or `nil`, removes it.
  public subscript(name: String) -> AmbientValue? {
    get { list.first { $0.name == name }?.value }
    set {
      let value = newValue.flatMap { $0.isAbsent ? nil : $0 }
      change { list in
        switch (value, list.firstIndex { $0.name == name }) {
        case (let value?, let index?): list[index] = Field(name: name, value: value)
        case (let value?, nil): list.append(Field(name: name, value: value))
        case (nil, let index?): list.remove(at: index)
        case (nil, nil): break
        }
      }
    }
  }

  /// These fields and those of `other`, whose values win.
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
      if let place = places[field.name] {
        merged[place] = field
      } else {
        places[field.name] = merged.count
        merged.append(field)
      }
    }
    return AmbientFields(list: merged)
  }

  /// So many names are looked for one after another; for more, a table of places is made.
  fileprivate static var few: Int { 16 }

  /// Where each name stands.
  fileprivate static func places(_ fields: [Field]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(fields.lazy.map(\.name), fields.indices))
  }

  /// The same fields in the order of their names, and those within them.
  var sorted: AmbientFields {
    AmbientFields(
      list: list.sorted { $0.name < $1.name }
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
    var list: [Field] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let value = value.ambientValue
      if !value.isAbsent { list.append(Field(name: name, value: value)) }
    }
    self.init(list: list)
  }
}

extension AmbientFields: ExpressibleByDictionaryLiteral {
  /// Fields of mixed values; those that are nil are left out.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    if elements.isEmpty { self.init() } else { self.init(FieldBytes(literal: elements)) }
  }
}

extension AmbientFields: RandomAccessCollection {
  /// The place of the first field.
  public var startIndex: Int { 0 }

  /// The place after the last field.
  public var endIndex: Int { list.count }

  /// The field at that place.
  public subscript(position: Int) -> Field { list[position] }

  /// Takes the fields one after another.
  public func makeIterator() -> Array<Field>.Iterator { list.makeIterator() }

  /// Whether there are none.
  public var isEmpty: Bool {
    switch storage {
    case .list(let list): list.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    }
  }
}

extension AmbientFields: AmbientValueConvertible {
  /// The fields as one value.
  public var ambientValue: AmbientValue { .fields(self) }
}
