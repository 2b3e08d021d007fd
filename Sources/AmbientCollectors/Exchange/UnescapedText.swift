// SPDX-License-Identifier: Apache-2.0

/// An unescaped text, with the position of each byte in the escaped one.
///
/// The escapes of JSON (RFC 8259, 7), of URLs (RFC 3986, 2.1) and of HTML are all recognized,
/// because the format of a server's answer is unknown.
struct UnescapedText {
  private(set) var bytes: [UInt8] = []
  /// For each byte, its range in the escaped text: the range of the escape that stands for the
  /// byte, or of the byte itself.
  private(set) var places: [Range<Int>] = []
  /// The length of the escaped text.
  let length: Int

  /// Creates the text with its escapes: no level of escapes is removed yet, and each byte has its
  /// own position.
  ///
  /// - Parameter isWhole: Whether the text is complete. If not, a U+FFFD at its end is left out: a
  ///   character that was cut is decoded to it.
  init(plain text: [UInt8], isWhole: Bool = false) {
    let isCut = !isWhole && text.suffix(3).elementsEqual("\u{FFFD}".utf8)
    bytes = isCut ? Array(text.dropLast(3)) : text
    places = bytes.indices.map { $0..<$0 + 1 }
    length = text.count
  }

  /// Creates the text with one more level of escapes removed, for example from JSON within JSON. A
  /// text without escapes stays unchanged.
  ///
  /// - Parameter isWhole: Whether the text is complete. If not, the possible beginning of an escape
  ///   at its end is left out.
  init(_ outer: UnescapedText, isWhole: Bool = false) {
    let text = outer.bytes
    length = outer.length
    var place = 0
    while place < text.count, isWhole || !Self.isCut(text[place...]) {
      let (meant, count) = Self.escape(text[place...]) ?? ([text[place]], 1)
      let start = outer.places[place].lowerBound
      let end = outer.places[place + count - 1].upperBound
      bytes += meant
      places += meant.map { _ in start..<end }
      place += count
    }
  }

  private static var longest: Int { 12 }

  /// Whether `rest`, the end of the text, may be the beginning of an escape that was cut. A lead
  /// surrogate without its trail may be one.
  private static func isCut(_ rest: ArraySlice<UInt8>) -> Bool {
    guard rest.count < longest, let first = rest.first else { return false }
    let tail = rest.dropFirst()
    switch first {
    case UInt8(ascii: "%"): return tail.count < 2 && tail.allSatisfy(isHexDigit)
    case UInt8(ascii: "&"):
      let name = tail.first == UInt8(ascii: "#") ? tail.dropFirst() : tail
      return name.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber)
      }
    case UInt8(ascii: "\\"):
      guard tail.first == UInt8(ascii: "u") else { return tail.isEmpty }
      let digits = tail.dropFirst()
      guard digits.count >= 4 else { return digits.allSatisfy(isHexDigit) }
      guard let unit = number(digits.prefix(4), 4), UTF16.isLeadSurrogate(unit) else {
        return false
      }
      let trail = digits.dropFirst(4)
      return #"\u"#.utf8.starts(with: trail.prefix(2)) && trail.dropFirst(2).allSatisfy(isHexDigit)
    default: return false
    }
  }

  /// Returns the UTF-8 bytes that the escape at the beginning of `rest` stands for, and the
  /// escape's length; nil if `rest` does not begin with an escape.
  private static func escape(_ rest: ArraySlice<UInt8>) -> (meant: [UInt8], count: Int)? {
    switch rest.first {
    case UInt8(ascii: "%"):
      return number(rest.dropFirst().prefix(2), 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
    case UInt8(ascii: "\\"): return jsonEscape(rest.dropFirst())
    case UInt8(ascii: "&"): return entity(rest.dropFirst())
    default: return nil
    }
  }

  private static func jsonEscape(_ rest: ArraySlice<UInt8>) -> (meant: [UInt8], count: Int)? {
    guard let letter = rest.first else { return nil }
    guard letter == UInt8(ascii: "u") else {
      // After the backslash, a quote, a slash or a backslash stands for itself. A letter stands for
      // a control character.
      guard let place = Array(#""/\bfnrt"#.utf8).firstIndex(of: letter) else { return nil }
      return ([Array("\"/\\\u{8}\u{C}\n\r\t".utf8)[place]], 2)
    }
    guard let first = number(rest.dropFirst().prefix(4), 4) else { return nil }
    var units = [first]
    // A lead surrogate may be followed by its trail, such as `\uD83D\uDE00`.
    if UTF16.isLeadSurrogate(first), rest.dropFirst(5).starts(with: #"\u"#.utf8),
      let second = number(rest.dropFirst(7).prefix(4), 4), UTF16.isTrailSurrogate(second)
    {
      units.append(second)
    }
    return (Array(String(decoding: units, as: UTF16.self).utf8), 6 * units.count)
  }

  private static func entity(_ rest: ArraySlice<UInt8>) -> (meant: [UInt8], count: Int)? {
    guard let end = rest.prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[..<end], as: UTF8.self)
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    let digits = name.dropFirst(2)
    // A character reference of HTML has no sign, but `UInt32` would also parse `+65` and `-0`.
    let isSigned = name.contains { $0 == "+" || $0 == "-" }
    let value: UInt32? =
      if isSigned { nil } else if name.hasPrefix("#x") || name.hasPrefix("#X") {
        UInt32(digits, radix: 16)
      } else {
        name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      }
    let character = value.flatMap(Unicode.Scalar.init).map { String($0) }
    return (names[name] ?? character).map { (Array($0.utf8), name.utf8.count + 2) }
  }

  /// The number that exactly `count` hexadecimal digits denote.
  private static func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> UInt16? {
    guard digits.count == count, digits.allSatisfy(isHexDigit) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
  }
}
