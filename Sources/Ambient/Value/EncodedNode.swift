// SPDX-License-Identifier: Apache-2.0

/// A position in an encoded value. The containers of the value may be opened and filled in any
/// order.
final class EncodedNode {
  private enum Content {
    case nothing
    case value(AmbientValue)
    case list([EncodedNode])
    case object([(name: String, node: EncodedNode)])
  }

  private var content = Content.nothing
  private var places: [FieldName: Int] = [:]

  /// The encoded value; empty fields if nothing was encoded here.
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

  /// Stores a value in the node, in place of an earlier one. Returns false if the node is a list or
  /// an object.
  func becomeValue(_ value: AmbientValue) -> Bool {
    switch content {
    case .value, .nothing: content = .value(value)
    case .list, .object: return false
    }
    return true
  }

  /// Makes the node an object if it is empty. Returns false if the node is a value or a list.
  func becomeObject() -> Bool {
    switch content {
    case .object: return true
    case .nothing: content = .object([])
    case .value, .list: return false
    }
    return true
  }

  /// Makes the node a list if it is empty. Returns false if the node is a value or an object.
  func becomeList() -> Bool {
    switch content {
    case .list: return true
    case .nothing: content = .list([])
    case .value, .object: return false
    }
    return true
  }

  /// The number of values in the list.
  var count: Int {
    if case .list(let nodes) = content { return nodes.count }
    return 0
  }

  /// Adds a node to the end of the list.
  func append() -> EncodedNode {
    let node = EncodedNode()
    if case .list(var nodes) = content {
      // `content` is emptied first, so that appending does not copy: a copy for each value would
      // make the encoding quadratic.
      content = .nothing
      nodes.append(node)
      content = .list(nodes)
    }
    return node
  }

  /// Makes and returns the node of a member. If a member of that name exists, the new node replaces
  /// the member's node, and the member keeps its position.
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

  /// Sorts the members by name.
  func sort() {
    guard case .object(var members) = content else { return }
    members.sort { FieldName($0.name) < FieldName($1.name) }
    content = .object(members)
    for (place, member) in members.enumerated() { places[FieldName(member.name)] = place }
  }
}
