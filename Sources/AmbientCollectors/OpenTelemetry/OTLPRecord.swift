// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A log record in OTLP's JSON: names in camel case, integers of 64 bits as text, ids in
/// hexadecimal digits.
///
/// Sources: docs/specification and logs/v1 of opentelemetry-proto, and OpenTelemetry's data model
/// of logs.
struct OTLPRecord {
  private var bytes = Array("{".utf8)
  private var attributes = Array("[".utf8)
  private var names: Set<String> = []
  private var left = 0
  private let limits: OTLPLimits

  init(
    at date: Date, now: Date, severity: Int, _ limits: OTLPLimits,
    _ inspection: inout EventInspection
  ) {
    self.limits = limits
    if let nanoseconds = Self.nanoseconds(date) {
      add("timeUnixNano", "\"\(nanoseconds)\"")
      // `timeUnixNano` and `observedTimeUnixNano` are both the time of the call, by the caller's
      // clock: the data model says that an SDK observes its own records when they are made, however
      // long they wait for the upload.
      add("observedTimeUnixNano", "\"\(nanoseconds)\"")
    } else {
      inspection.note(
        .unreadable, at: "time", needs: "a time from 1970 to 2554", found: date.iso8601(),
        .leftOut, "check where the time comes from")
      add("observedTimeUnixNano", "\"\(Self.nanoseconds(now) ?? 0)\"")
    }
    add("severityNumber", "\(severity)")
  }

  /// Adds a member whose value is the JSON text `json`. By default, adds only the name and the
  /// colon, and the caller appends the value.
  private mutating func add(_ name: String, _ json: String = "") {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes += "\"\(name)\":\(json)".utf8
  }

  mutating func add(_ name: String, text: String) {
    add(name)
    bytes.append(json: text)
  }

  mutating func addBody(_ text: String) {
    add("body")
    bytes.append(otlp: .string(text))
  }

  mutating func add(_ trace: TraceParent?) {
    guard let trace else { return }
    add("flags", "\(trace.flags)")
    add("traceId", text: trace.traceID)
    add("spanId", text: trace.spanID)
  }

  /// Adds the fields as attributes, with `prefix` before each name that does not begin with it.
  /// Adds a problem to `inspection` for each field that is changed or left out.
  ///
  /// - Parameter isIdentity: Whether texts of any length stay whole. An identity must not be cut,
  ///   because a cut identity may equal another identity.
  mutating func addAttributes(
    _ fields: AmbientFields, prefix: String = "", isIdentity: Bool = false, at path: String,
    _ inspection: inout EventInspection
  ) {
    for field in fields {
      let name = field.name.hasPrefix(prefix) ? field.name : prefix + field.name
      let longest = isIdentity ? nil : limits.length
      addAttribute(
        name, field.value, atMost: longest, at: "\(path).\(field.name)", &inspection)
    }
  }

  private mutating func addAttribute(
    _ name: String, _ value: AmbientValue, atMost longest: Int?, at path: String,
    _ inspection: inout EventInspection
  ) {
    guard !name.isEmpty else {
      return inspection.note(
        .nameMalformed, at: path, needs: "a name", found: "none", .leftOut, "give it a name")
    }
    let isTaken = !names.insert(name).inserted
    guard inspection.isFree(name, unless: isTaken, at: path) else { return }
    guard names.count <= limits.count else {
      left += 1
      return inspection.note(
        .tooMany, at: path, needs: "at most \(limits.count.with("attribute"))", found: "one more",
        .leftOut, "send fewer, or set a higher limit")
    }
    let settled = longest.map { value.cut(toTextsOf: $0) } ?? value
    if settled != value {
      let found = EventProblem.shown(of: value)
      let isText = if case .string = value { true } else { false }
      inspection.note(
        .textTooLong, at: path, needs: "a text of at most \((longest ?? 0).with("character"))",
        found: isText ? found : "a longer one in \(found)", .changed(to: "its beginning"),
        "shorten it, or set a higher limit")
    }
    if attributes.count > 1 { attributes.append(UInt8(ascii: ",")) }
    attributes.append(otlp: name, settled)
  }

  /// Returns the entry. If the record is too large for a request, adds a problem to `inspection`
  /// and returns nil.
  consuming func entry(_ inspection: inout EventInspection) -> EventEntry? {
    if attributes.count > 1 {
      add("attributes")
      bytes += attributes
      bytes.append(UInt8(ascii: "]"))
    }
    if left > 0 { add("droppedAttributesCount", "\(left)") }
    bytes.append(UInt8(ascii: "}"))
    let size = limits.overhead + bytes.count
    guard inspection.isSmallEnough(size, below: OTLPLimits.request.bytes) else { return nil }
    return EventEntry(bytes)
  }

  /// Returns the nanoseconds from 1970 to a date. They are rounded to whole microseconds, because a
  /// `Date` is hardly more precise. Returns nil if the number is not positive or does not fit into
  /// 64 bits.
  private static func nanoseconds(_ date: Date) -> UInt64? {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    guard microseconds > 0, microseconds < Double(UInt64.max / 1_000) else { return nil }
    return UInt64(microseconds) * 1_000
  }
}

extension [UInt8] {
  /// Appends a `KeyValue` of OTLP.
  mutating func append(otlp name: String, _ value: AmbientValue) {
    self += #"{"key":"#.utf8
    append(json: name)
    self += #","value":"#.utf8
    append(otlp: value)
    append(UInt8(ascii: "}"))
  }

  /// Appends an `AnyValue` of OTLP. Null becomes an object without members. Integers beyond
  /// `Int64`, infinities and NaN become texts.
  mutating func append(otlp value: AmbientValue) {
    switch value {
    case .null: self += "{}".utf8
    case .boolean: append(anyValue: "boolValue", value)
    case .integer(let number): append(anyValue: "intValue", .string("\(number)"))
    case .unsigned(let number):
      append(otlp: Int64(exactly: number).map(AmbientValue.integer) ?? .string("\(number)"))
    case .double(let number) where number.isFinite: self += #"{"doubleValue":\#(number)}"#.utf8
    case .double, .string, .date: append(anyValue: "stringValue", value)
    case .array(let values):
      self += #"{"arrayValue":{"values":["#.utf8
      for (place, value) in values.enumerated() {
        if place > 0 { append(UInt8(ascii: ",")) }
        append(otlp: value)
      }
      self += "]}}".utf8
    case .fields(let fields):
      self += #"{"kvlistValue":{"values":["#.utf8
      append(otlp: fields)
      self += "]}}".utf8
    case .revealed: append(otlp: value.redacted)
    }
  }

  /// Appends an `AnyValue` with one member, which has the name `kind` and the value's JSON.
  private mutating func append(anyValue kind: StaticString, _ value: AmbientValue) {
    self += "{\"\(kind)\":".utf8
    append(json: value)
    append(UInt8(ascii: "}"))
  }

  /// Appends `KeyValue`s, with commas between them.
  mutating func append(otlp fields: AmbientFields) {
    for (place, field) in fields.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(otlp: field.name, field.value)
    }
  }
}

extension AmbientValue {
  /// Returns the value with all its texts, at any depth, cut to `longest` characters.
  fileprivate func cut(toTextsOf longest: Int) -> AmbientValue {
    switch self {
    case .string(let text): return .string(text.cut(to: longest, .characters))
    case .array(let values): return .array(values.map { $0.cut(toTextsOf: longest) })
    case .fields(let fields):
      let cut = fields.map {
        AmbientFields.Field(name: $0.name, value: $0.value.cut(toTextsOf: longest))
      }
      return .fields(AmbientFields(list: cut))
    default: return self
    }
  }
}
