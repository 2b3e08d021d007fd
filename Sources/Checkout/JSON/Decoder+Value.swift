internal import Foundation

extension Decoder {
  /// Decodes a raw value and converts it; an error of the conversion gets the place in the file.
  func value<Raw: Decodable, Value, E: Error>(
    _ make: (Raw) throws(E) -> Value
  ) throws -> Value {
    let raw = try singleValueContainer().decode(Raw.self)
    do throws(E) { return try make(raw) } catch { throw fault(error) }
  }

  /// A decoding error for the value at this place, or for a field of it.
  func fault(_ error: any Error, in field: (any CodingKey)? = nil) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [field].compactMap(\.self), debugDescription: "\(error)",
        underlyingError: error))
  }
}

extension Encoder {
  func encode(text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}

extension Decoder {
  /// The named fields of an object; an unknown field, for example a misspelt one, is an error.
  func fields<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: FieldName.self).allKeys
    where !known.contains(key.stringValue) {
      throw fault(
        FieldFault.unknown(nearest: Nearest.word(to: key.stringValue, in: known)), in: key)
    }
    return try container(keyedBy: keys)
  }
}

/// Any name of a field.
struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

/// A whole number in a file; any other value is an error that names its place in the file.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    value = try decoder.value { (number: Decimal) throws(FieldFault) in
      guard let value = Int(number.description) else {
        throw .wrongType(expected: "a whole number")
      }
      return value
    }
  }
}

/// The possible faults of a field, in any kind of file.
enum FieldFault: Error, CustomStringConvertible {
  /// A field that the object does not have; the most similar one that it has.
  case unknown(nearest: String?)
  /// A value of the wrong type.
  case wrongType(expected: String)

  var description: String {
    switch self {
    case .unknown(let nearest):
      "is no field here; " + (nearest.map { "did you mean “\($0)”?" } ?? "remove it")
    case .wrongType(let expected): "must be \(expected)"
    }
  }
}
