#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LogFormat {
  /// - Parameter start: How the object begins, up to the time, for whoever has put something there.
  func writeJSON(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, start: StaticString = "{\"time\":\"", to line: inout LineBuffer
  ) {
    line.append(start)
    line.append(timestamp: date, offset)
    line.append("\",\"level\":\"")
    line.append(level.literal)
    line.append("\",\"message\":\"")
    message.withUTF8 { line.append(escaping: $0, .quoted) }
    line.append(UInt8(ascii: "\""))
    message.read(metadata) { fields in
      line.append(",\"metadata\":")
      line.append(json: fields)
    }
    if showsSource {
      line.append(",\"source\":\"")
      line.append(escaping: source.fileID, .quoted)
      line.append(UInt8(ascii: ":"))
      line.append(integer: Int64(source.line))
      line.append("\",\"function\":")
      line.append(json: source.function)
    }
    line.append(UInt8(ascii: "}"))
  }
}
