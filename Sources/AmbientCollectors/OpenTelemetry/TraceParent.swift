internal import Ambient

/// The trace and the span that something belongs to, as the header field `traceparent` names them.
///
/// Source: W3C Trace Context, section 3.2.
struct TraceParent: Hashable, Sendable {
  /// The name of the field among metadata and properties.
  static var name: String { "traceparent" }

  /// 32 hexadecimal digits.
  let traceID: String
  /// 16 hexadecimal digits.
  let spanID: String
  let flags: UInt8

  /// Reads `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`; nil if it is none.
  init?(_ text: String) {
    // Of a later version there may be more behind it.
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4,
      Self.isHex(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      Self.isHex(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
      Self.isHex(parts[2], 16), parts[2].contains(where: { $0 != "0" }),
      Self.isHex(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    traceID = String(parts[1])
    spanID = String(parts[2])
    self.flags = flags
  }

  /// Whether it is so many digits; capital letters are none.
  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// What a field of that name says; a malformed one is noted, and stays a field.
  static func take(
    from fields: inout AmbientFields, at path: String, _ inspection: inout EventInspection
  ) -> TraceParent? {
    guard let value = fields[name] else { return nil }
    if case .string(let text) = value, let parent = TraceParent(text) {
      fields[name] = nil
      return parent
    }
    inspection.note(
      .traceMalformed, at: "\(path).\(name)", needs: "a traceparent of W3C Trace Context",
      found: EventProblem.shown(of: value), .kept, "hand on the request's header as it is")
    return nil
  }
}

extension EventRule {
  /// What names the trace and the span is malformed, and so only an attribute.
  public static let traceMalformed = EventRule("trace-malformed")
}
