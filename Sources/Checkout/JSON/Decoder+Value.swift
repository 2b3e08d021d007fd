// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension Decoder {
  /// Decodes a raw value and converts it; an error of the conversion is thrown with the path of the
  /// value.
  func value<Raw: Decodable, Value, E: Error>(
    _ make: (Raw) throws(E) -> Value
  ) throws -> Value {
    let raw = try singleValueContainer().decode(Raw.self)
    do throws(E) { return try make(raw) } catch { throw fault(error) }
  }

  /// Makes a decoding error with the path of this decoder's value, or of a field of the value.
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
  /// Returns a container of an object's fields. Throws if the object has an unknown field, such as
  /// a misspelt one.
  func fields<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: FieldName.self).allKeys
    where !known.contains(key.stringValue) {
      throw fault(
        FieldFault.unknown(nearest: NearestWord.find(for: key.stringValue, in: known)), in: key)
    }
    return try container(keyedBy: keys)
  }
}

/// A coding key that accepts any field name, to find the unknown ones.
struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

/// A whole number in a file. Decoding any other value throws an error with the path of the value.
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

/// A fault of a field, in any kind of file.
enum FieldFault: Error, CustomStringConvertible {
  /// An unknown field, with the most similar known field.
  case unknown(nearest: String?)
  /// A value of the wrong type.
  case wrongType(expected: String)

  var description: String {
    switch self {
    case .unknown(let nearest):
      "is not a field here; " + (nearest.map { "did you mean “\($0)”?" } ?? "remove it")
    case .wrongType(let expected): "must be \(expected)"
    }
  }
}
