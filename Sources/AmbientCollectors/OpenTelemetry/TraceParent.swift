// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The trace and the span of an event or record, parsed from a text in the form of the header field
/// `traceparent`.
///
/// Source: W3C Trace Context, section 3.2.
struct TraceParent: Hashable, Sendable {
  /// The field's name among metadata and properties.
  static var name: String { "traceparent" }

  /// 32 hexadecimal digits.
  let traceID: String
  /// 16 hexadecimal digits.
  let spanID: String
  let flags: UInt8

  /// The error of a malformed `traceparent`: what the standard demands of a part, and the text that
  /// was found instead.
  struct Fault: Error, Hashable {
    let demand: String
    let found: String
  }

  /// Parses `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
  init(_ text: String) throws(Fault) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // Version 00 of the format has four parts; a later version may append more.
    guard parts.count == 4 || parts.count > 4 && parts[0] != "00" else {
      throw Fault(
        demand: "a traceparent of version, trace, span and flags, separated by hyphens",
        found: "\(parts.count) parts in \(EventProblem.shown(text, quoted: true, atMost: 60))")
    }
    let version = try Self.hex(parts[0], 2, "version")
    guard version != "ff" else {
      throw Fault(demand: "a version below ff in a traceparent", found: "“ff”")
    }
    traceID = try Self.id(parts[1], 32, "trace")
    spanID = try Self.id(parts[2], 16, "span")
    flags = UInt8(try Self.hex(parts[3], 2, "flags"), radix: 16) ?? 0
  }

  /// Checks that the text is an id of `count` hexadecimal digits that are not all zeros.
  private static func id(_ text: Substring, _ count: Int, _ part: String) throws(Fault) -> String {
    let id = try hex(text, count, part)
    guard id.contains(where: { $0 != "0" }) else {
      throw Fault(demand: "a \(part) id that is not all zeros", found: "“\(id)”")
    }
    return id
  }

  /// Checks that the text has `count` hexadecimal digits in lower case, as the standard demands.
  private static func hex(
    _ text: Substring, _ count: Int, _ part: String
  ) throws(Fault) -> String {
    let isHex =
      text.utf8.count == count
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard isHex else {
      throw Fault(
        demand: "\(count) lowercase hexadecimal digits as the \(part) of a traceparent",
        found: EventProblem.shown(String(text), quoted: true))
    }
    return String(text)
  }

  /// Parses the field `traceparent`, removes it from `fields`, and returns its parsed value. If the
  /// value is malformed, keeps the field, adds a problem to `inspection`, and returns nil.
  static func take(
    from fields: inout AmbientFields, at path: String, _ inspection: inout EventInspection
  ) -> TraceParent? {
    guard let value = fields[name] else { return nil }
    do throws(Fault) {
      guard case .string(let text) = value else {
        throw Fault(
          demand: "a W3C traceparent, as text",
          found: EventProblem.shown(of: value))
      }
      let parent = try TraceParent(text)
      fields[name] = nil
      return parent
    } catch {
      inspection.note(
        .traceMalformed, at: "\(path).\(name)", needs: error.demand, found: error.found, .kept,
        "pass the request's traceparent header unchanged")
      return nil
    }
  }
}

extension EventRule {
  /// The `traceparent` is malformed, so it is sent as an ordinary attribute.
  package static let traceMalformed = EventRule("trace-malformed")
}
