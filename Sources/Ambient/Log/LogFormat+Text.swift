// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

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
    Self.append(padded: level, to: &line)
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

  /// Appends the level's name, padded so that messages are aligned.
  ///
  /// Each name is a literal, because the compiler copies a text of known length with two move
  /// instructions.
  @inline(__always)
  private static func append(padded level: LogLevel, to line: inout LineBuffer) {
    switch level {
    case .trace: line.append(" trace    ")
    case .debug: line.append(" debug    ")
    case .info: line.append(" info     ")
    case .notice: line.append(" notice   ")
    case .warning: line.append(" warning  ")
    case .error: line.append(" error    ")
    case .critical: line.append(" critical ")
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
