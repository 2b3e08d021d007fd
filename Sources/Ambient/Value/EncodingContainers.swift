// SPDX-License-Identifier: Apache-2.0

/// A container of named values.
struct NamedValues<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func inner(_ key: any CodingKey) -> ValueEncoder {
    encoder.inner(encoder.node.member(key.stringValue), key)
  }

  func encodeNil(forKey key: Key) { inner(key).store(.null) }

  func encode(_ value: some Encodable, forKey key: Key) throws { try inner(key).encode(value) }

  // The protocols' default methods for integers of 128 bits throw, and are preferred to the generic
  // method.
  func encode(_ value: Int128, forKey key: Key) throws { try inner(key).encode(value) }
  func encode(_ value: UInt128, forKey key: Key) throws { try inner(key).encode(value) }

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

/// A container of ordered values.
struct OrderedValues: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.node.count }

  private func inner() -> ValueEncoder {
    let key = EncodedPlace(number: count)
    return encoder.inner(encoder.node.append(), key)
  }

  func encodeNil() { inner().store(.null) }

  func encode(_ value: some Encodable) throws { try inner().encode(value) }
  func encode(_ value: Int128) throws { try inner().encode(value) }
  func encode(_ value: UInt128) throws { try inner().encode(value) }

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

  func encodeNil() { encoder.store(.null) }

  func encode(_ value: some Encodable) throws { try encoder.encode(value) }
  func encode(_ value: Int128) throws { try encoder.encode(value) }
  func encode(_ value: UInt128) throws { try encoder.encode(value) }
}

/// An element of a coding path.
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
