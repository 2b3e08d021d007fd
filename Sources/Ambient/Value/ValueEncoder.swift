// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension AmbientFields {
  /// Encodes a value as fields, in the order in which the value encodes its members.
  ///
  /// A member whose ``AmbientValueConvertible/ambientValue`` is private or sensitive stays so.
  /// Dates stay dates, whole numbers of up to 64 bits stay whole numbers, longer ones become text,
  /// and data becomes base64 text. A `Decimal` becomes a number if 64 bits or a double keep its
  /// digits; otherwise, it becomes a text. Null members are left out, and so are members that are
  /// empty objects. Dictionaries that encode as objects are sorted by name. The encoding is too
  /// slow for hot paths.
  ///
  /// - Parameter value: The value to encode, as an object with named members: a struct or a
  ///   dictionary.
  /// - Throws: ``AmbientEncodingError`` if the value does not encode as an object, is deeper than
  ///   64 levels, or throws, or if a part of it encodes itself in two forms, such as an object and
  ///   a list.
  public init(encoding value: some Encodable) throws(AmbientEncodingError) {
    let root = EncodedNode()
    let fault = EncodingFault()
    do {
      try ValueEncoder(root, [], fault).encode(value)
    } catch {
      throw AmbientEncodingError(error, fault, of: type(of: value))
    }
    if let first = fault.first { throw first.of(type(of: value)) }
    guard case .fields(let fields) = root.value else {
      throw AmbientEncodingError(
        path: "", "it is \(root.value.kind), not an object with named members"
      ).of(type(of: value))
    }
    self = fields
  }
}

/// Encodes a value into a tree of nodes, which becomes fields.
struct ValueEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  let fault: EncodingFault

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: EncodedNode, _ codingPath: [any CodingKey], _ fault: EncodingFault) {
    self.node = node
    self.codingPath = codingPath
    self.fault = fault
  }

  /// Returns an encoder for the contained value that has the key `key`.
  func inner(_ node: EncodedNode, _ key: any CodingKey) -> ValueEncoder {
    ValueEncoder(node, codingPath + [key], fault)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if !node.becomeObject() { fault.note(codingPath, Self.twice) }
    return KeyedEncodingContainer(NamedValues(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if !node.becomeList() { fault.note(codingPath, Self.twice) }
    return OrderedValues(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { OneValue(encoder: self) }

  /// Stores a single value. A list or an object in the same place is a fault.
  func store(_ value: AmbientValue) {
    if !node.becomeValue(value) { fault.note(codingPath, Self.twice) }
  }

  private static var twice: String {
    "it encodes itself in two forms, such as an object and a list"
  }

  /// Encodes a value of any type; all containers call this.
  func encode(_ value: some Encodable) throws(any Error) {
    guard codingPath.count <= FieldBytes.deepest else {
      throw AmbientEncodingError(
        path: codingPath, "it is nested deeper than \(FieldBytes.deepest) levels")
    }
    // An `ambientValue` with a hidden part replaces the value's own encoding, which would show the
    // hidden content.
    if let known = Self.known(value) ?? .markedItself(value) {
      fault.noteEncoded()
      return store(known)
    }
    do { try value.encode(to: self) } catch {
      fault.noteThrown(codingPath)
      throw error
    }
    fault.noteEncoded()
    if value is any WithoutOrder { node.sort() }
  }

  /// Converts a value of the types for which `encode(to:)` is not called; nil for other types.
  private static func known(_ value: some Encodable) -> AmbientValue? {
    switch value {
    case let value as Bool: .boolean(value)
    case let value as String: .string(value)
    case let value as Double: .double(value)
    case let value as Float: value.ambientValue
    case let value as any FixedWidthInteger: whole(value)
    case let value as Date: .date(value)
    case let value as UUID: value.ambientValue
    case let value as URL: value.ambientValue
    case let value as Decimal: number(value)
    case let value as Data: .string(value.base64EncodedString())
    default: nil
    }
  }

  private static func whole(_ value: some BinaryInteger) -> AmbientValue {
    Int64(exactly: value).map(AmbientValue.integer)
      ?? UInt64(exactly: value).map(AmbientValue.unsigned) ?? .string(String(value))
  }

  /// Returns an integer or a double if one of them keeps all digits of `value`; otherwise, a text.
  private static func number(_ value: Decimal) -> AmbientValue {
    let text = value.description
    if let whole = Int64(text) { return .integer(whole) }
    if let whole = UInt64(text) { return .unsigned(whole) }
    guard let double = Double(text), double.isFinite, Decimal(string: "\(double)") == value else {
      return .string(text)
    }
    return .double(double)
  }
}

/// A collection whose order differs from process to process.
private protocol WithoutOrder {}

extension Dictionary: WithoutOrder {}

extension AmbientValue {
  /// A noun for the value's kind, for errors.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .date: "a date"
    case .array: "an array"
    case .fields: "an object"
    case .revealed(let value, _): value.kind
    }
  }
}

/// Records the first fault in a method of `Encoder` that cannot throw, and the path of the
/// innermost value that threw an error.
///
/// The path is stored here, and the thrown error is rethrown unchanged: the `encode(to:)` of an
/// outer value may catch errors of the thrown type, and would not catch an error of another type
/// that contains the path and the thrown error.
final class EncodingFault {
  private(set) var first: AmbientEncodingError?
  /// The path of the innermost value that threw the current error; nil if there is no error.
  private(set) var thrown: [any CodingKey]?

  func note(_ path: [any CodingKey], _ reason: String) {
    if first == nil { first = AmbientEncodingError(path: path, reason) }
  }

  func noteThrown(_ path: [any CodingKey]) {
    if thrown == nil { thrown = path }
  }

  /// Forgets the path of the last error. Called when a value was encoded without an error, which
  /// shows that any earlier error was caught.
  func noteEncoded() { thrown = nil }
}

/// The error of a value that could not be encoded as fields.
public struct AmbientEncodingError: DescribedError, Hashable {
  /// The type of the value.
  public private(set) var type = ""
  /// The path within the value, such as `items.0.price`; empty for the value itself.
  public let path: String
  /// The fault at that path.
  public let reason: String

  init(path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(path: [any CodingKey], _ reason: String) {
    self.init(path: path.map(\.name).joined(separator: "."), reason)
  }

  /// Converts `error`, which a value threw when it encoded itself.
  init(_ error: any Error, _ fault: EncodingFault, of type: Any.Type) {
    if let error = fault.first ?? error as? AmbientEncodingError {
      self = error.of(type)
    } else if case EncodingError.invalidValue(_, let context)? = error as? EncodingError {
      let path = context.codingPath.isEmpty ? fault.thrown ?? [] : context.codingPath
      self = AmbientEncodingError(path: path, "its encoding threw “\(context.debugDescription)”")
        .of(type)
    } else {
      self = AmbientEncodingError(path: fault.thrown ?? [], "its encoding threw “\(error)”").of(
        type)
    }
  }

  func of(_ type: Any.Type) -> AmbientEncodingError {
    var error = self
    error.type = String(describing: type)
    return error
  }

  /// The type, the path in it, the fault, and advice.
  public var description: String {
    """
    cannot encode \(type) as fields\(path.isEmpty ? "" : ", because of the value at \(path)"): \
    \(reason); correct its encoding, or pass its fields one by one
    """.escaped
  }
}

extension CodingKey {
  /// The key as a part of a path.
  fileprivate var name: String { intValue.map(String.init) ?? stringValue }
}
