// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A record in an upload queue. The record's line begins with an identifier, followed by the
/// members of the JSON line that a log writes, including the source.
///
/// `{"id":"…","time":"…","level":"info","message":"…","metadata":{…},"source":"…","function":"…"}`
struct UploadRecord: Sendable {
  /// The record's identifier, which stays the same when the record is sent again.
  let id: UUID
  /// The record; metadata values that JSON cannot represent are texts.
  let record: LogRecord

  private static let format = LogFormat(.json, showsSource: true)

  /// Appends the line of a record to the journal; private values are hidden.
  ///
  /// - Returns: The size of the line in bytes; nil if the journal did not accept the line.
  static func append(_ record: LogRecord, to journal: Journal) -> Int? {
    let record = record.redacted
    return LineBuffer.with { line in
      line.append(literal: "{\"id\":\"")
      line.append(AmbientIdentifier.words(at: record.date))
      line.append(literal: "\",")
      format.withLine(record) { logged in
        // The opening brace is left out, because `line` already has one. The newline is left out,
        // too.
        line.append(UnsafeRawBufferPointer(rebasing: logged.dropFirst().dropLast()))
      }
      return journal.append(line.bytes, at: record.date) ? line.count : nil
    }
  }

  /// Reads a line of the queue. Fails if the line is malformed.
  ///
  /// - Parameter moment: The record's date in whole microseconds. It replaces the line's date,
  ///   which is in whole milliseconds, if both dates lie in the same millisecond.
  init?(json line: [UInt8], at moment: Date? = nil) {
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
  /// The value of that name, if it is a text.
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}

extension SourcePlace {
  /// Reads a place from its description, such as `File.swift:12`.
  fileprivate init(_ text: String, _ function: String) {
    let colon = text.lastIndex(of: ":")
    let line = colon.flatMap { UInt(text[text.index(after: $0)...]) }
    self.init(
      fileID: line == nil ? text : String(text[..<(colon ?? text.endIndex)]), function: function,
      line: line ?? 0)
  }
}
