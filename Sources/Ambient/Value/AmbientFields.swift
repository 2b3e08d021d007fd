// SPDX-License-Identifier: Apache-2.0

/// Named values in the order in which they were written: a log record's metadata, or an event's
/// properties.
///
/// ```swift
/// let fields: AmbientFields = ["order": order.id, "total": order.total, "gift": true]
/// ```
///
/// Fields that are nil, null or an empty group are left out; a repeated name keeps its first
/// position and takes the last value. Two groups of fields are equal if they have equal names and
/// values, in any order. Names are compared by their bytes, as programs that read the written lines
/// compare them: `é` as one scalar and `é` as two scalars are two names. Looking up a name, a
/// position or the count may take time proportional to the number of fields. If there are more than
/// 32 fields, the first assignment by name makes an index, which makes later look-ups faster.
public struct AmbientFields: _Nonisolated, Sendable {
  /// One named value.
  public struct Field: Hashable, Sendable {
    private let key: FieldName
    /// The value; null only in place of a value that was nested deeper than 64 levels.
    public let value: AmbientValue

    package init(name: String, value: AmbientValue) {
      key = FieldName(name)
      self.value = value
    }

    /// The name, which is compared byte by byte.
    public var name: String { key.name }
  }

  /// The representation of the fields. Fields made from a literal are stored as bytes until a field
  /// is changed; each read decodes the bytes again. The index is indirect, so that an
  /// `AmbientValue` that contains fields stays small.
  private enum Storage: Sendable {
    case list([Field])
    case bytes(FieldBytes)
    indirect case index(IndexedFields)
  }

  private var storage: Storage

  /// No fields.
  public init() { storage = .list([]) }

  /// Creates fields from a list. The caller ensures that the names are distinct and that no value
  /// is null.
  package init(list: [Field]) { storage = .list(list) }

  /// The fields as bytes.
  init(_ bytes: FieldBytes) { storage = .bytes(bytes) }

  /// The same fields without spare memory: for fields that are kept long.
  var compact: AmbientFields { bytes.map { AmbientFields($0.compact) } ?? [:] }

  /// The fields as a list; all names differ.
  package var list: [Field] {
    switch storage {
    case .list(let list): list
    case .bytes(let bytes): bytes.list
    case .index(let index): index.fields
    }
  }

  /// The fields as bytes; nil if there are none.
  @inline(__always)
  var bytes: FieldBytes? {
    switch storage {
    case .bytes(let bytes): bytes
    case .list(let list): list.isEmpty ? nil : FieldBytes(list)
    case .index(let index): index.fields.isEmpty ? nil : FieldBytes(index.fields)
    }
  }

  /// Calls `body` with a reader of the fields.
  func read(_ body: (FieldReader) -> Void) {
    switch storage {
    case .bytes(let bytes): bytes.read(body)
    case .list, .index: FieldBytes(list).handOver { body(FieldReader($0)) }
    }
  }

  /// If the fields are stored as bytes, gives their memory to the thread's `ThreadMemory`, which
  /// keeps the memory for the thread's next fields.
  func giveBack() {
    if case .bytes(let bytes) = storage { ThreadMemory.keep(fields: bytes.memory) }
  }

  /// The value of the field called `name`, or nil if there is none.
  ///
  /// Assigning `nil`, null or an empty group removes the field. A new name is added at the end.
  ///
  /// - Parameter name: The whole name; case counts.
  public subscript(name: String) -> AmbientValue? {
    get {
      switch storage {
      case .list(let list): Self.place(of: name, list).map { list[$0].value }
      case .bytes(let bytes): name.withBytes { bytes.value(of: $0) }
      case .index(let index): index[name]
      }
    }
    set {
      set(name, newValue.flatMap { $0.isAbsent ? nil : $0 })
    }
  }

  /// Sets or removes a field. Builds an index of the names if there are more than 32 fields.
  private mutating func set(_ name: String, _ value: AmbientValue?) {
    if value?.isRevealed == true { AmbientPrivacy.noteRevealed() }
    if var index = takeIndex() {
      index[name] = value
      storage = .index(index)
      return
    }
    var list = list
    storage = .list([])
    switch (value, Self.place(of: name, list)) {
    case (let value?, let place?): list[place] = Field(name: name, value: value)
    case (let value?, nil): list.append(Field(name: name, value: value))
    case (nil, let place?): list.remove(at: place)
    case (nil, nil): break
    }
    storage = list.count > IndexedFields.mostUnindexed ? .index(IndexedFields(list)) : .list(list)
  }

  /// Takes the index out of the storage, so that its arrays are uniquely owned while they change.
  private mutating func takeIndex() -> IndexedFields? {
    guard case .index(let index) = storage else { return nil }
    storage = .list([])
    return index
  }

  private static func place(of name: String, _ list: [Field]) -> Int? {
    let name = FieldName(name)
    return list.firstIndex { FieldName($0.name) == name }
  }
}

extension AmbientFields {
  /// Creates fields from a dictionary, sorted by name.
  ///
  /// - Parameter values: The values by their names; a value that is null or an empty group is left
  ///   out.
  public init(_ values: [String: some AmbientValueConvertible]) {
    var list: [Field] = []
    for name in values.keys.sorted() {
      let value = values[name].ambientValue
      if value.isRevealed { AmbientPrivacy.noteRevealed() }
      if !value.isAbsent { list.append(Field(name: name, value: value)) }
    }
    self.init(list: list)
  }
}

extension AmbientFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from a dictionary literal with values of different types.
  ///
  /// A value that is nil, null or an empty group is left out.
  ///
  /// - Parameter elements: The names and values of the literal, in its order; the last value of a
  ///   name counts.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    self.init(literal: elements)
  }

  @inline(__always)
  package init(literal elements: consuming [(String, (any AmbientValueConvertible)?)]) {
    if let bytes = FieldBytes(literal: elements) {
      storage = .bytes(bytes)
    } else {
      storage = .list([])
    }
  }
}

extension AmbientFields: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { 0 }

  /// The position after the last field.
  public var endIndex: Int {
    switch storage {
    case .list(let list): list.count
    case .bytes(let bytes): bytes.count
    case .index(let index): index.fields.count
    }
  }

  /// The field at a position.
  ///
  /// - Parameter position: A position from ``startIndex`` up to, but not including, ``endIndex``;
  ///   any other position ends the process.
  public subscript(position: Int) -> Field {
    switch storage {
    case .list(let list): return list[position]
    case .index(let index): return index.fields[position]
    case .bytes(let bytes):
      guard position >= 0, let field = bytes.field(after: position) else {
        preconditionFailure("there is no field at position \(position)")
      }
      return field
    }
  }

  /// Returns an iterator over the fields, in order.
  public func makeIterator() -> Array<Field>.Iterator { list.makeIterator() }

  /// Whether there are no fields.
  public var isEmpty: Bool {
    switch storage {
    case .list(let list): list.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .index(let index): index.fields.isEmpty
    }
  }
}

extension AmbientFields: Hashable {
  /// Whether `left` and `right` have the same names and values, in any order.
  public static func == (left: AmbientFields, right: AmbientFields) -> Bool {
    let (left, right) = (left.list, right.list)
    guard left.count == right.count else { return false }
    if left == right { return true }
    guard left.count > IndexedFields.mostUnindexed else {
      return left.allSatisfy { field in right.contains(field) }
    }
    let index = IndexedFields(right)
    return left.allSatisfy { field in index[field.name] == field.value }
  }

  /// Hashes the fields independently of their order.
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

extension AmbientFields: AmbientValueConvertible {
  /// The fields as one value.
  public var ambientValue: AmbientValue { .fields(self) }
}

extension AmbientFields {
  /// Returns these fields together with those of `other`.
  ///
  /// A name that both contain keeps its position in these fields, and takes its value from `other`.
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
  var canonical: AmbientFields {
    AmbientFields(
      list: list.sorted { FieldName($0.name) < FieldName($1.name) }
        .map { Field(name: $0.name, value: $0.value.canonical) })
  }
}
