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
  /// Each value in a nested object becomes a member of the line. The name of the member is the path
  /// to the value. A list stays a list.
  case flattened(_ separator: String)
  /// A member of the line whose value is an object becomes a string with the object's JSON.
  case text

  /// Returns the record as a line in this layout, or nil if the record is not a JSON object.
  ///
  /// Values are copied byte by byte, so no number changes.
  ///
  /// - Parameter splitsUser: Whether the layout ``text`` writes the members of `user` as `user_id`
  ///   and `user_traits`.
  package func line(of record: [UInt8], splitsUser: Bool = false) -> [UInt8]? {
    guard record.first == UInt8(ascii: "{"), record.last == UInt8(ascii: "}") else { return nil }
    if self == .nested { return record }
    var result: [UInt8] = [UInt8(ascii: "{")]
    result.reserveCapacity(record.count + record.count / 4)
    guard append(record[...], prefix: [], splitsUser: splitsUser, to: &result) else { return nil }
    result.append(UInt8(ascii: "}"))
    return result
  }

  private func append(
    _ object: ArraySlice<UInt8>, prefix: [UInt8], splitsUser: Bool, to result: inout [UInt8]
  ) -> Bool {
    var members = JSONMemberReader(object)
    while let member = members.next() {
      let isObject = member.value.first == UInt8(ascii: "{")
      if isObject, let separator = separator(after: member.name, splitsUser: splitsUser) {
        var prefix = prefix + member.name
        prefix.append(unquoted: separator)
        guard append(member.value, prefix: prefix, splitsUser: false, to: &result) else {
          return false
        }
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

  /// The text that joins the name of an object and the name of each of its members into the name of
  /// a member of the line. Nil if the object stays one member of the line.
  private func separator(after name: ArraySlice<UInt8>, splitsUser: Bool) -> String? {
    if case .flattened(let separator) = self { return separator }
    return splitsUser && name.elementsEqual("user".utf8) ? "_" : nil
  }
}
