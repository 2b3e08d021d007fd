internal import Ambient

/// The layout of an event's properties in the line that is sent.
///
/// | layout | `{"id":"…","event":"purchase","properties":{"value":12,"to":{"city":"Rome"}}}` |
/// |---|---|
/// | nested | as it is |
/// | flattened("_") | `…,"properties_value":12,"properties_to_city":"Rome"}` |
/// | text | `…,"properties":"{\"value\":12,\"to\":{\"city\":\"Rome\"}}"}` |
public enum PropertyLayout: Hashable, Sendable {
  /// Properties stay an object.
  case nested
  /// Each value in an object of the line becomes a member that is named by the path to the value. A
  /// list stays a list.
  case flattened(_ separator: String)
  /// Each object of the line becomes one text of JSON.
  case text

  /// The line in that layout; nil if the record is not an object of JSON.
  ///
  /// Values are copied byte by byte, so no number changes.
  package func line(of record: [UInt8]) -> [UInt8]? {
    guard record.first == UInt8(ascii: "{"), record.last == UInt8(ascii: "}") else { return nil }
    if self == .nested { return record }
    var result: [UInt8] = [UInt8(ascii: "{")]
    result.reserveCapacity(record.count + record.count / 4)
    guard append(record[...], prefix: [], to: &result) else { return nil }
    result.append(UInt8(ascii: "}"))
    return result
  }

  private func append(
    _ object: ArraySlice<UInt8>, prefix: [UInt8], to result: inout [UInt8]
  ) -> Bool {
    var members = JSONMembers(object)
    while let member = members.next() {
      let isObject = member.value.first == UInt8(ascii: "{")
      if case .flattened(let separator) = self, isObject {
        var text: [UInt8] = []
        text.append(json: separator)
        // The separator, escaped for a name in JSON.
        let prefix = prefix + member.name + text.dropFirst().dropLast()
        guard append(member.value, prefix: prefix, to: &result) else { return false }
        continue
      }
      if result.count > 1 { result.append(UInt8(ascii: ",")) }
      result.append(UInt8(ascii: "\""))
      result += prefix
      result += member.name
      result += [UInt8(ascii: "\""), UInt8(ascii: ":")]
      if isObject {
        result.append(json: member.value)
      } else {
        result += member.value
      }
    }
    return members.isWhole
  }
}

/// Iterates over the members of a JSON object without spaces between its tokens, such as
/// `TrackedEvent.json`.
struct JSONMembers {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  /// Whether the object ended with its closing brace, without a malformed member before it.
  private(set) var isWhole = false

  init(_ object: ArraySlice<UInt8>) {
    bytes = object
    place = object.startIndex + 1
  }

  /// The next member: its name, still escaped, and the bytes of its value.
  mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard let first = peek(at: place) else { return nil }
    if first == UInt8(ascii: "}") {
      isWhole = place == bytes.endIndex - 1
      return nil
    }
    if first == UInt8(ascii: ",") { place += 1 }
    guard peek(at: place) == UInt8(ascii: "\""), let nameEnd = endOfText(at: place),
      peek(at: nameEnd) == UInt8(ascii: ":"), let end = endOfValue(at: nameEnd + 1)
    else { return nil }
    defer { place = end }
    return (bytes[(place + 1)..<(nameEnd - 1)], bytes[(nameEnd + 1)..<end])
  }

  private func peek(at index: Int) -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private func endOfText(at start: Int) -> Int? {
    var index = start + 1
    while let byte = peek(at: index) {
      if byte == UInt8(ascii: "\"") { return index + 1 }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
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
        guard let end = endOfText(at: index) else { return nil }
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
