#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AmbientFields {
  /// What an encodable value is as an object, in the order in which it encodes its members.
  ///
  /// A member that is private by its ``AmbientValueConvertible/ambientValue`` is that. Dates stay
  /// dates, whole numbers stay whole, data is base64 and a decimal number is a number where a
  /// double has its digits, else text. Members that are null, or objects without members, are left
  /// out. Dictionaries are sorted by name. Not meant for where time is dear.
  ///
  /// - Throws: ``AmbientEncodingError`` if it is no object, is deeper than 64 levels, or does not
  ///   encode itself.
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
        path: "", "it is \(root.value.kind), and no object with named members"
      ).of(type(of: value))
    }
    self = fields
  }
}

/// Encodes into the values of fields.
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

  /// The encoder of a value within.
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

  private static var twice: String { "it encodes itself as an object and as something else" }

  /// Encodes a value of any type; the containers of all types come here.
  func encode(_ value: some Encodable) throws(any Error) {
    guard codingPath.count <= FieldBytes.deepest else {
      throw AmbientEncodingError(
        path: codingPath, "it is deeper than \(FieldBytes.deepest) levels")
    }
    // A type that is private as a value would encode what it hides.
    if let known = Self.known(value) ?? .markedItself(value) {
      fault.noteEncoded()
      return node.set(known)
    }
    do { try value.encode(to: self) } catch {
      fault.noteThrown(codingPath)
      throw error
    }
    fault.noteEncoded()
    if value is any WithoutOrder { node.sort() }
  }

  /// The value, of the types that have a form of their own here.
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

  /// A number where its digits are those of one, else text: a double must not change it.
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

/// What has no order of its own, and another in each process.
private protocol WithoutOrder {}

extension Dictionary: WithoutOrder {}

extension AmbientValue {
  /// What it is, for an error.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a truth value"
    case .integer, .unsigned, .double: "a number"
    case .string: "a text"
    case .date: "a date"
    case .array: "a list"
    case .fields: "an object"
    case .revealed(let value, _): value.kind
    }
  }
}

/// The first thing that went wrong where Swift's encoders cannot throw, and where an error comes
/// from that a value throws: the error stays as it is, since a value around may know and catch it.
final class EncodingFault {
  private(set) var first: AmbientEncodingError?
  /// The innermost place that an error has left so far.
  private(set) var thrown: [any CodingKey]?

  func note(_ path: [any CodingKey], _ reason: String) {
    if first == nil { first = AmbientEncodingError(path: path, reason) }
  }

  func noteThrown(_ path: [any CodingKey]) {
    if thrown == nil { thrown = path }
  }

  /// Whoever encodes something after an error has caught it.
  func noteEncoded() { thrown = nil }
}

/// Why a value could not be encoded as fields.
public struct AmbientEncodingError: DescribedError, Hashable {
  /// The type of the value.
  public private(set) var type = ""
  /// Where in the value, as `items.0.price`; empty for the whole.
  public let path: String
  /// What is wrong there.
  public let reason: String

  init(path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(path: [any CodingKey], _ reason: String) {
    self.init(path: path.map(\.name).joined(separator: "."), reason)
  }

  /// What a value threw when it was asked to encode itself.
  init(_ error: any Error, _ fault: EncodingFault, of type: Any.Type) {
    if let error = fault.first ?? error as? AmbientEncodingError {
      self = error.of(type)
    } else if case EncodingError.invalidValue(_, let context)? = error as? EncodingError {
      let path = context.codingPath.isEmpty ? fault.thrown ?? [] : context.codingPath
      self = AmbientEncodingError(path: path, context.debugDescription).of(type)
    } else {
      self = AmbientEncodingError(path: fault.thrown ?? [], "\(error)").of(type)
    }
  }

  func of(_ type: Any.Type) -> AmbientEncodingError {
    var error = self
    error.type = String(describing: type)
    return error
  }

  /// Says which type, where in it, and what to do.
  public var description: String {
    """
    \(type) cannot be encoded as fields\(path.isEmpty ? "" : ", at \(path)"): \(reason); \
    encode an object, or name the values yourself
    """
  }
}

extension CodingKey {
  /// What a path calls it.
  fileprivate var name: String { intValue.map(String.init) ?? stringValue }
}
