// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The layout of an event's properties and user in the line that is sent.
///
/// | layout | `{"id":"…","event":"purchase","properties":{"value":12,"to":{"city":"Rome"}}}` |
/// |---|---|
/// | nested | as it is |
/// | flattened("_") | `…,"properties_value":12,"properties_to_city":"Rome"}` |
/// | text | `…,"properties":"{\"value\":12,\"to\":{\"city\":\"Rome\"}}"}` |
@nonexhaustive
public enum PropertyLayout: Hashable, Sendable {
  /// Properties stay an object.
  case nested
  /// Each value in a nested object becomes a member of the line.
  ///
  /// The name of the member is the path to the value. A list stays a list. If two values would get
  /// the same name, only the first is sent; the other is counted in ``QueuedAnalytics/amendments``.
  case flattened(_ separator: String)
  /// A member of the line whose value is an object becomes a string with the object's JSON.
  case text

  /// Whether an event's line in this layout may have a member of that name.
  func mayHaveMember(named name: String) -> Bool {
    if ["id", "time", "event", "anonymous_id", "user", "properties"].contains(name) { return true }
    guard case .flattened(let separator) = self else { return false }
    return name.hasPrefix("user\(separator)") || name.hasPrefix("properties\(separator)")
  }

  /// Returns the record as a line in this layout, or nil if the record is not a JSON object.
  ///
  /// Values are copied byte by byte, so no number changes. If two values would get the same name,
  /// the line contains only the first; the other is noted in `amendments`.
  ///
  /// - Parameter splitsUser: Whether the layout ``text`` writes the members of `user` as `user_id`
  ///   and `user_traits`.
  package func line(
    of record: [UInt8], splitsUser: Bool = false, _ amendments: Amendments
  ) -> [UInt8]? {
    guard record.first == UInt8(ascii: "{"), record.last == UInt8(ascii: "}") else { return nil }
    if self == .nested { return record }
    var line = Line()
    line.bytes.reserveCapacity(record.count + record.count / 4)
    guard append(record[...], splitsUser: splitsUser, to: &line) else { return nil }
    amendments.note(
      leftOut: line.leftOut, of: record, .nameTaken, needs: "a unique name",
      "rename one of them")
    return line.bytes + [UInt8(ascii: "}")]
  }

  /// A line that is being written.
  private struct Line {
    var bytes = [UInt8(ascii: "{")]
    /// The names of the members that were written, escaped as in JSON.
    var names: Set<[UInt8]> = []
    /// The paths of the values that were not written, each with the value's name in this layout.
    var leftOut: [(field: String, found: String)] = []
  }

  /// Appends the members of an object.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the members' names in the line.
  ///   - path: The beginning of the members' paths, such as `properties.to.`, escaped as in JSON.
  private func append(
    _ object: ArraySlice<UInt8>, prefix: [UInt8] = [], path: [UInt8] = [], splitsUser: Bool,
    to line: inout Line
  ) -> Bool {
    var members = JSONMemberReader(object)
    while let member = members.next() {
      let isObject = member.value.first == UInt8(ascii: "{")
      let name = prefix + member.name
      if isObject, let separator = separator(after: member.name, splitsUser: splitsUser) {
        var prefix = name
        prefix.append(unquoted: separator)
        guard
          append(
            member.value, prefix: prefix, path: path + member.name + [UInt8(ascii: ".")],
            splitsUser: false, to: &line)
        else { return false }
        continue
      }
      guard line.names.insert(name).inserted else {
        line.leftOut.append(
          (
            String(decoding: path + member.name, as: UTF8.self),
            "a second “\(EventProblem.shown(String(decoding: name, as: UTF8.self)))”"
          ))
        continue
      }
      if line.bytes.count > 1 { line.bytes.append(UInt8(ascii: ",")) }
      line.bytes.append(UInt8(ascii: "\""))
      line.bytes += name
      line.bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
      if isObject {
        line.bytes.append(json: member.value)
      } else {
        line.bytes += member.value
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
