#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LogFormat {
  func writeLogfmt(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: AmbientFields,
    _ source: SourcePlace, to line: inout LineBuffer
  ) {
    line.append("time=")
    line.append(timestamp: date, offset)
    line.append(" level=")
    line.append(level.literal)
    line.append(" msg=\"")
    message.withUTF8 { line.append(escaping: $0, .quoted) }
    line.append(UInt8(ascii: "\""))
    for field in metadata {
      let isTaken = ["time", "level", "msg", "source", "function"].contains(field.name)
      line.append(pairs: field.value, isTaken ? "metadata.\(field.name)" : field.name)
    }
    guard showsSource else { return }
    line.append(" source=")
    line.append(bareOrQuoted: "\(source.fileID):\(source.line)")
    line.append(" function=")
    line.append(bareOrQuoted: source.function)
  }
}

extension LogLevel {
  /// The name, in memory that lives as long as the program.
  var literal: StaticString {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    case .critical: "critical"
    }
  }
}

extension LineBuffer {
  /// Appends ` name=value`, or for nested values a pair for each, as ` name.inner=value`.
  fileprivate mutating func append(pairs value: AmbientValue, _ name: String, depth: Int = 0) {
    if case .fields(let fields) = value, !fields.isEmpty, depth <= 64 {
      for field in fields {
        append(pairs: field.value, "\(name).\(field.name)", depth: depth + 1)
      }
      return
    }
    append(UInt8(ascii: " "))
    append(key: name)
    append(UInt8(ascii: "="))
    switch value {
    case _ where depth > 64: append("null")
    case .array, .fields:
      // JSON has quotation marks of its own, which must be escaped once more.
      append(
        bareOrQuoted: LineBuffer.with { inner in
          inner.append(json: value, depth: depth)
          return inner.text
        })
    default: append(bareOrQuoted: value)
    }
  }
}
