extension Decoder {
  /// Reads one value and makes another of it; its error keeps the place in the file.
  func value<Raw: Decodable, Value, E: Error>(
    _ make: (Raw) throws(E) -> Value
  ) throws -> Value {
    let raw = try singleValueContainer().decode(Raw.self)
    do throws(E) { return try make(raw) } catch { throw fault(error) }
  }

  /// A decoding error that says what is wrong with the value at this place, or in a field of it.
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
