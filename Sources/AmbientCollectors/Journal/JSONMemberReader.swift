// SPDX-License-Identifier: Apache-2.0

/// An iterator over the members of a JSON object without spaces between its tokens, such as
/// `TrackedEvent.json`.
struct JSONMemberReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  /// Whether the object ended with its closing brace, without a malformed member before it.
  private(set) var isWhole = false

  init(_ object: ArraySlice<UInt8>) {
    bytes = object
    place = object.startIndex + 1
  }

  /// Returns the next member: its name, still escaped, and the bytes of its value.
  mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard let first = peek(at: place) else { return nil }
    if first == UInt8(ascii: "}") {
      isWhole = place == bytes.endIndex - 1
      return nil
    }
    if first == UInt8(ascii: ",") { place += 1 }
    guard peek(at: place) == UInt8(ascii: "\""), let nameEnd = Self.endOfText(in: bytes, at: place),
      peek(at: nameEnd) == UInt8(ascii: ":"), let end = endOfValue(at: nameEnd + 1)
    else { return nil }
    defer { place = end }
    return (bytes[(place + 1)..<(nameEnd - 1)], bytes[(nameEnd + 1)..<end])
  }

  private func peek(at index: Int) -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// The index after the closing quotation mark of the text that begins at `start`; nil if there is
  /// none.
  static func endOfText(in bytes: ArraySlice<UInt8>, at start: Int) -> Int? {
    var index = start + 1
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// The index of the comma or brace after the value.
  private func endOfValue(at start: Int) -> Int? {
    var index = start
    var depth = 0
    while let byte = peek(at: index) {
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = Self.endOfText(in: bytes, at: index) else { return nil }
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index > start ? index : nil }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return index > start ? index : nil
      default: break
      }
      index += 1
    }
    return nil
  }
}
