// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension LogFormat {
  func writeJSON(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, to line: inout LineBuffer
  ) {
    line.append("{\"time\":\"")
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
