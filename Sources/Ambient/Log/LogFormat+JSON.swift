extension LogFormat {
  func writeJSON(_ record: borrowing LogRecord, to line: inout LineBuffer) {
    line.append("{\"time\":\"")
    line.append(timestamp: record.date, offset)
    line.append("\",\"level\":\"")
    line.append(record.level.literal)
    line.append("\",\"message\":\"")
    record.message.withUTF8 { line.append(escaping: $0, .quoted) }
    line.append(UInt8(ascii: "\""))
    if !record.metadata.isEmpty {
      line.append(",\"metadata\":")
      line.append(json: record.metadata)
    }
    if showsSource {
      line.append(",\"source\":\"")
      line.append(escaping: record.source.fileID, .quoted)
      line.append(UInt8(ascii: ":"))
      line.append(integer: Int64(record.source.line))
      line.append("\",\"function\":")
      line.append(json: record.source.function)
    }
    line.append(UInt8(ascii: "}"))
  }
}
