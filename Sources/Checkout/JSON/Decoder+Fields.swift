extension Decoder {
  /// The named fields of an object, in which no field is unknown: a misspelt one is an error.
  func fields<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: FieldName.self).allKeys
    where !known.contains(key.stringValue) {
      let problem = ShopProblem.unknownField(
        nearest: Nearest.word(to: key.stringValue, in: known))
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath + [key], debugDescription: "\(problem)", underlyingError: problem))
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
