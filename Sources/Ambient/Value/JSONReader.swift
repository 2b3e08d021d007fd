// SPDX-License-Identifier: Apache-2.0

/// A reader that converts JSON to an `AmbientValue`. It is not used on hot paths.
///
/// Names keep their order. A number with a fraction or an exponent, or of more than 64 bits, is a
/// double; any other number is an integer.
package struct JSONReader {
  /// The error of a text that is not JSON.
  package struct Mistake: Error {
    /// The offset in bytes.
    package let offset: Int
    package let expected: String
  }

  /// The maximum nesting depth. Deeper text is refused, because the recursive reader would overflow
  /// the stack.
  private static var deepest: Int { 128 }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// Creates a reader of the bytes, which must stay valid for as long as the reader is used.
  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads the bytes as a single value.
  package static func value(_ bytes: UnsafeRawBufferPointer) throws(Mistake) -> AmbientValue {
    var reader = JSONReader(bytes)
    let value = try reader.value(0)
    guard reader.next == nil else { throw reader.mistake("the end") }
    return value
  }

  private func mistake(_ expected: String) -> Mistake {
    Mistake(offset: place, expected: expected)
  }

  /// The byte at the current position; nil at the end.
  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// The next byte after white space; nil at the end.
  private var next: UInt8? {
    mutating get {
      while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
      return byte
    }
  }

  /// Skips white space, then `character` if it comes next. Returns whether it came next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value(_ depth: Int) throws(Mistake) -> AmbientValue {
    guard depth < Self.deepest else { throw mistake("at most \(Self.deepest) levels") }
    switch next {
    case UInt8(ascii: "{"): return .fields(try fields(depth))
    case UInt8(ascii: "["): return .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ text: StaticString, _ value: AmbientValue
  ) throws(Mistake) -> AmbientValue {
    let count = text.utf8CodeUnitCount
    // Valid: a literal's bytes live as long as the program.
    let word = UnsafeRawBufferPointer(start: text.utf8Start, count: count)
    guard bytes[place...].prefix(count).elementsEqual(word) else {
      throw mistake("“\(text)”")
    }
    place += count
    return value
  }

  private mutating func number() throws(Mistake) -> AmbientValue {
    let start = place
    var isWhole = true
    while let byte {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        isWhole = false
      default: return try number(from: start, isWhole)
      }
      place += 1
    }
    return try number(from: start, isWhole)
  }

  private mutating func number(from start: Int, _ isWhole: Bool) throws(Mistake) -> AmbientValue {
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    if isWhole, let value = UInt64(text) { return .unsigned(value) }
    guard let value = Double(text) else {
      place = start
      throw mistake("a value")
    }
    return .double(value)
  }

  private mutating func array(_ depth: Int) throws(Mistake) -> [AmbientValue] {
    place += 1
    var values: [AmbientValue] = []
    if take("]") { return values }
    repeat { values.append(try value(depth + 1)) } while take(",")
    guard take("]") else { throw mistake("“,” or “]”") }
    return values
  }

  private mutating func fields(_ depth: Int) throws(Mistake) -> AmbientFields {
    place += 1
    var list: [AmbientFields.Field] = []
    var places: [FieldName: Int] = [:]
    if take("}") { return [:] }
    repeat {
      guard next == UInt8(ascii: "\"") else { throw mistake("a name in quotation marks") }
      let name = try string()
      guard take(":") else { throw mistake("“:”") }
      let field = AmbientFields.Field(name: name, value: try value(depth + 1))
      // A repeated name keeps its first position and takes the last value.
      if let place = places.updateValue(list.count, forKey: FieldName(name)) {
        places[FieldName(name)] = place
        list[place] = field
      } else {
        list.append(field)
      }
    } while take(",")
    guard take("}") else { throw mistake("“,” or “}”") }
    return AmbientFields(list: list.filter { !$0.value.isAbsent })
  }
}

/// Methods that read a string, and the escapes in it.
extension JSONReader {
  private mutating func string() throws(Mistake) -> String {
    place += 1
    var text = ""
    var start = place
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[start..<place], as: UTF8.self)
        place += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<place], as: UTF8.self)
        text.unicodeScalars.append(try escaped())
        start = place
      case ..<0x20: throw mistake("no control character in a text")
      default: place += 1
      }
    }
    throw mistake("a quotation mark at the end of a text")
  }

  /// The scalar of an escape; an unpaired surrogate becomes U+FFFD.
  private mutating func escaped() throws(Mistake) -> Unicode.Scalar {
    place += 1
    let kind = byte
    place += 1
    switch kind {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unit()
    default:
      place = min(place - 1, bytes.count)
      throw mistake("an escape of JSON")
    }
  }

  private mutating func unit() throws(Mistake) -> Unicode.Scalar {
    let first = try hex()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let afterFirst = place
    guard first < 0xDC00, bytes[place...].prefix(2).elementsEqual([0x5C, 0x75]) else {
      return "\u{FFFD}"
    }
    place += 2
    let second = try hex()
    guard 0xDC00..<0xE000 ~= second else {
      // The second escape is not the second half of a surrogate pair: it is read again as a
      // character.
      place = afterFirst
      return "\u{FFFD}"
    }
    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
    return Unicode.Scalar(code) ?? "\u{FFFD}"
  }

  private mutating func hex() throws(Mistake) -> UInt32 {
    let digits = bytes[min(place, bytes.count)...].prefix(4)
      .compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 4 else { throw mistake("four hexadecimal digits") }
    place += 4
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }
}
