#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A record as it waits in a queue for a server: the line of JSON that a log writes, with its
/// source, behind an identity.
///
/// `{"id":"…","time":"…","level":"info","message":"…","metadata":{…},"source":"…","function":"…"}`
package struct QueuedRecord: Sendable {
  /// What tells this record from every other, however often it is sent.
  package let id: UUID
  /// The record; of its metadata, what JSON has no form for is text.
  package let record: LogRecord

  private static let format = LogFormat(.json, showsSource: true)

  /// Puts the line of a record into the journal, with what is private hidden.
  ///
  /// - Returns: How many bytes it has; nil if the journal has not taken it.
  package static func append(_ record: LogRecord, to journal: Journal) -> Int? {
    let record = record.redacted
    return LineBuffer.with { line in
      line.append("{\"id\":\"")
      line.append(Identifier.words(at: record.date))
      line.append("\",")
      format.withLine(record) { logged in
        // Without the brace at its beginning and the newline at its end.
        line.append(UnsafeRawBufferPointer(rebasing: logged.dropFirst().dropLast()))
      }
      return journal.append(line.bytes, at: record.date) ? line.count : nil
    }
  }

  /// Reads such a line; nil if it is none.
  ///
  /// - Parameter moment: The record's date in whole microseconds, which counts if it is in the
  ///   millisecond of the line.
  package init?(json line: [UInt8], at moment: Date? = nil) {
    guard let value = try? line.withUnsafeBytes({ try JSONReader.value($0) }),
      case .fields(let parts) = value,
      let id = parts.text("id").flatMap({ UUID(uuidString: $0) }),
      let date = parts.text("time").flatMap({ try? Date(iso8601: $0) }),
      let level = parts.text("level").flatMap({ LogLevel(rawValue: $0) }),
      let message = parts.text("message")
    else { return nil }
    var metadata: AmbientFields = [:]
    if case .fields(let fields)? = parts["metadata"] { metadata = fields }
    self.id = id
    record = LogRecord(
      date: date.finer(moment), level: level, message: LogMessage(message), metadata: metadata,
      source: SourcePlace(parts.text("source") ?? "", parts.text("function") ?? ""))
  }
}

extension AmbientFields {
  /// The text of that name.
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}

extension SourcePlace {
  /// Reads a description.
  fileprivate init(_ text: String, _ function: String) {
    let colon = text.lastIndex(of: ":")
    let line = colon.flatMap { UInt(text[text.index(after: $0)...]) }
    self.init(
      fileID: line == nil ? text : String(text[..<(colon ?? text.endIndex)]), function: function,
      line: line ?? 0)
  }
}
