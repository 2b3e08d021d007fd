#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LogFormat {
  func writeText(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, colored: Bool, to line: inout LineBuffer
  ) {
    if colored { line.append("\u{1B}[2m") }
    line.append(timestamp: date, offset)
    if colored {
      line.append("\u{1B}[0m")
      line.append(Self.color(of: level))
    }
    line.append(Self.padded(level))
    if colored { line.append("\u{1B}[0m") }
    message.withUTF8 { line.append(message: $0) }
    message.read(metadata) { line.append(pairs: $0) }
    guard showsSource else { return }
    line.append(" (")
    line.append(escaping: source.fileID, .bare)
    line.append(UInt8(ascii: ":"))
    line.append(integer: Int64(source.line))
    line.append(UInt8(ascii: " "))
    line.append(escaping: source.function, .bare)
    line.append(UInt8(ascii: ")"))
  }

  /// The name between spaces, so that messages stand below each other.
  private static func padded(_ level: LogLevel) -> StaticString {
    switch level {
    case .trace: " trace    "
    case .debug: " debug    "
    case .info: " info     "
    case .notice: " notice   "
    case .warning: " warning  "
    case .error: " error    "
    case .critical: " critical "
    }
  }

  private static func color(of level: LogLevel) -> StaticString {
    switch level {
    case .trace, .debug: "\u{1B}[2m"
    case .info: "\u{1B}[32m"
    case .notice: "\u{1B}[36m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[31m"
    case .critical: "\u{1B}[1;31m"
    }
  }
}
