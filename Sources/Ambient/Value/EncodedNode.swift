/// One place of a value that is being encoded: its containers may come and go in any order.
final class EncodedNode {
  private enum Content {
    case nothing
    case value(AmbientValue)
    case list([EncodedNode])
    case object([(name: String, node: EncodedNode)])
  }

  private var content = Content.nothing
  private var places: [FieldName: Int] = [:]

  /// What was encoded; an object without members if nothing was.
  var value: AmbientValue {
    switch content {
    case .nothing: return .fields([:])
    case .value(let value): return value
    case .list(let nodes): return .array(nodes.map(\.value))
    case .object(let members):
      let fields = members.map { AmbientFields.Field(name: $0.name, value: $0.node.value) }
      return .fields(AmbientFields(list: fields.filter { !$0.value.isAbsent }))
    }
  }

  func set(_ value: AmbientValue) { content = .value(value) }

  /// Whether it is an object, or could become one.
  func becomeObject() -> Bool {
    switch content {
    case .object: return true
    case .nothing: content = .object([])
    case .value, .list: return false
    }
    return true
  }

  /// Whether it is a list, or could become one.
  func becomeList() -> Bool {
    switch content {
    case .list: return true
    case .nothing: content = .list([])
    case .value, .object: return false
    }
    return true
  }

  /// How many values the list has.
  var count: Int {
    if case .list(let nodes) = content { return nodes.count }
    return 0
  }

  /// A new place at the end of the list.
  func append() -> EncodedNode {
    let node = EncodedNode()
    if case .list(var nodes) = content {
      // In its place, since a copy of the list for each value would take the square of its length.
      content = .nothing
      nodes.append(node)
      content = .list(nodes)
    }
    return node
  }

  /// The place of a member; an earlier one of that name is replaced where it stands.
  func member(_ name: String) -> EncodedNode {
    let node = EncodedNode()
    guard case .object(var members) = content else { return node }
    content = .nothing
    if let place = places[FieldName(name)] {
      members[place].node = node
    } else {
      places[FieldName(name)] = members.count
      members.append((name, node))
    }
    content = .object(members)
    return node
  }

  /// Sorts the members by their names.
  func sort() {
    guard case .object(var members) = content else { return }
    members.sort { FieldName($0.name) < FieldName($1.name) }
    content = .object(members)
    for (place, member) in members.enumerated() { places[FieldName(member.name)] = place }
  }
}

/// A container of named values.
struct NamedValues<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func inner(_ key: any CodingKey) -> ValueEncoder {
    encoder.inner(encoder.node.member(key.stringValue), key)
  }

  func encodeNil(forKey key: Key) { inner(key).node.set(.null) }

  func encode(_ value: some Encodable, forKey key: Key) throws { try inner(key).encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    inner(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { inner(EncodedPlace.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

/// A container of values in order.
struct OrderedValues: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.node.count }

  private func inner() -> ValueEncoder {
    let key = EncodedPlace(number: count)
    return encoder.inner(encoder.node.append(), key)
  }

  func encodeNil() { inner().node.set(.null) }

  func encode(_ value: some Encodable) throws { try inner().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    inner().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

  func superEncoder() -> any Encoder { inner() }
}

/// A container of one value.
struct OneValue: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.node.set(.null) }

  func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}

/// Where something stands in a path.
struct EncodedPlace: CodingKey {
  static let superclass = EncodedPlace(stringValue: "super")

  let stringValue: String
  let intValue: Int?

  init(number: Int) {
    stringValue = String(number)
    intValue = number
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) { self.init(number: intValue) }
}
