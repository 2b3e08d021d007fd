#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How a log writes a record: always as one line, whatever the record contains.
///
/// ```swift
/// Log.instance = StdoutLog(format: .json)
/// Log.instance = StderrLog(format: LogFormat(.text, zone: .local, showsSource: true))
/// ```
///
/// What would end the line, steer a terminal, turn the direction of text or go unseen is escaped: a
/// newline in a user's name forges no record.
public struct LogFormat: Hashable, Sendable {
  /// How the parts of a record are laid out.
  public enum Layout: String, Hashable, Sendable, CaseIterable {
    /// For people: `2026-11-27T05:00:00.000000Z info     order placed order=42`.
    ///
    /// A message that holds `name=` stands between quotation marks, so that none passes for a
    /// field.
    case text
    /// Pairs: `time=2026-11-27T05:00:00.000000Z level=info msg="order placed" order=42`.
    ///
    /// Nested values have names with dots; a name that the record needs itself comes after
    /// `metadata.`.
    case logfmt
    /// JSON lines: `{"time":"…","level":"info","message":"order placed","metadata":{"order":42}}`.
    case json
  }

  /// Whether text is coloured; the other layouts never are.
  public enum Color: String, Hashable, Sendable, CaseIterable {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    case automatic
    /// Always.
    case always
    /// Never.
    case never
  }

  /// Text, in UTC, coloured on a terminal.
  public static var text: LogFormat { LogFormat(.text) }
  /// Pairs of names and values, in UTC.
  public static var logfmt: LogFormat { LogFormat(.logfmt) }
  /// JSON lines, in UTC.
  public static var json: LogFormat { LogFormat(.json) }

  /// How the parts are laid out.
  public let layout: Layout
  /// Whether text is coloured.
  public let color: Color
  /// Whether the file, the line and the function are written.
  public let showsSource: Bool
  /// In which zone timestamps are written.
  public var zone: LogZone { offset.zone }

  let offset: ZoneOffset

  /// A format.
  ///
  /// - Parameters:
  ///   - layout: The form of a line.
  ///   - zone: In which zone timestamps are written.
  ///   - color: When levels are coloured, in text alone.
  ///   - showsSource: Whether a line says where it was logged.
  public init(
    _ layout: Layout, zone: LogZone = .utc, color: Color = .automatic, showsSource: Bool = false
  ) {
    self.layout = layout
    self.color = color
    self.showsSource = showsSource
    offset = ZoneOffset(zone)
  }

  /// The format of that name: `text`, `logfmt` or `json`.
  ///
  /// - Parameter name: The name of a layout: `text`, `logfmt` or `json`.
  /// - Throws: ``LogSettingError`` if there is none.
  public init(name: String) throws(LogSettingError) {
    guard let layout = Layout(rawValue: name) else { throw .format(name) }
    self.init(layout)
  }

  /// The record as one line, with its newline; coloured only if ``Color/always``.
  ///
  /// - Parameter record: The record to write.
  public func line(_ record: LogRecord) -> String {
    LineBuffer.with { line in
      write(record, colored: color == .always, to: &line)
      return line.text
    }
  }

  /// Calls `body` with the bytes of the line, its newline among them, which are valid until it
  /// returns; a line up to 1,024 bytes costs no allocation.
  ///
  /// - Parameters:
  ///   - record: The record to write.
  ///   - body: Called once with the line's bytes, which it must not keep.
  public func withLine(_ record: LogRecord, _ body: (UnsafeRawBufferPointer) -> Void) {
    LineBuffer.with { line in
      write(record, colored: color == .always, to: &line)
      body(line.bytes)
    }
  }

  func write(_ record: borrowing LogRecord, colored: Bool, to line: inout LineBuffer) {
    write(
      record.date, record.level, record.namedMessage, record.fields, record.source,
      colored: colored, to: &line)
  }

  /// Writes the parts of a record, which need not be one for that.
  @inline(__always)
  func write(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, colored: Bool, to line: inout LineBuffer
  ) {
    switch layout {
    case .text: writeText(date, level, message, metadata, source, colored: colored, to: &line)
    case .logfmt: writeLogfmt(date, level, message, metadata, source, to: &line)
    case .json: writeJSON(date, level, message, metadata, source, to: &line)
    }
    line.append(UInt8(ascii: "\n"))
  }
}
