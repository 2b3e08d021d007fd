// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The form in which a log writes a record: always one line, even if its texts contain line breaks.
///
/// ```swift
/// Log.instance = StdoutLog(format: .json)
/// Log.instance = StderrLog(format: LogFormat(.text, zone: .local, showsSource: true))
/// ```
///
/// Characters that would end the line, control a terminal, change the direction of text or be
/// invisible are escaped or, in the name of a field, replaced by `_`: a newline in a text cannot
/// forge a record. Joiners and variation selectors are kept where they belong to letters, marks,
/// mathematical signs or emoji. ``init(line:)`` makes a format that replaces newlines, and escapes
/// nothing else.
public struct LogFormat: _Nonisolated, Hashable, Sendable {
  /// The layout of a record's parts.
  @nonexhaustive
  public enum Layout: String, Hashable, Sendable, CaseIterable {
    /// Text for people: `2026-11-27T05:00:00.000000Z info     order placed order=42`.
    ///
    /// A message that contains `name=` is put in quotation marks, so that no part of it passes for
    /// a field.
    case text
    /// Pairs of a name and a value:
    /// `time=2026-11-27T05:00:00.000000Z level=info msg="order placed" order=42`.
    ///
    /// The name of a nested member contains the outer names, as `order.id` does. A field whose name
    /// the layout itself uses, such as `msg`, is written with the prefix `metadata.`.
    case logfmt
    /// JSON lines: `{"time":"…","level":"info","message":"order placed","metadata":{"order":42}}`.
    case json
  }

  /// The cases in which lines of the layout `text` are colored.
  ///
  /// Lines of the other layouts, and of a format with a function of its own, are never colored.
  public enum Color: String, Hashable, Sendable, CaseIterable {
    /// Lines are colored on a terminal, unless `NO_COLOR` has a value or `TERM` is `dumb`.
    case automatic
    /// Always.
    case always
    /// Never.
    case never
  }

  /// Text, in UTC, colored as ``Color/automatic`` describes.
  public static var text: LogFormat { LogFormat(.text) }
  /// Pairs of names and values, in UTC.
  public static var logfmt: LogFormat { LogFormat(.logfmt) }
  /// JSON lines, in UTC.
  public static var json: LogFormat { LogFormat(.json) }

  /// The layout of a record's parts in a line.
  package let layout: Layout
  /// The cases in which lines of the layout `text` are colored.
  package let color: Color
  /// Whether a line names the file, the line number and the function of the call.
  package let showsSource: Bool
  /// The time zone of timestamps.
  package var zone: LogZone { offset.zone }

  let offset: ZoneOffset

  /// The program's own form of a line; nil for the form of `layout`.
  private var custom: CustomLine?

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - layout: The layout of a line.
  ///   - zone: The time zone of timestamps.
  ///   - color: When lines are colored; ignored unless the layout is `text`.
  ///   - showsSource: Whether a line names the file, the line number and the function of the call.
  public init(
    _ layout: Layout, zone: LogZone = .utc, color: Color = .automatic, showsSource: Bool = false
  ) {
    self.layout = layout
    self.color = color
    self.showsSource = showsSource
    offset = ZoneOffset(zone)
  }

  /// Creates a format of your own, for a reader that expects other names or another layout.
  ///
  /// ```swift
  /// StdoutLog(format: LogFormat { record in
  ///   #"{"severity":"\#(record.level)","# + LogFormat.json.line(record).dropFirst()
  /// })
  /// ```
  ///
  /// Two such formats are equal if one is a copy of the other. Apart from newlines, control
  /// characters in the line are not escaped.
  ///
  /// - Parameter line: Returns the line of a record. A newline is added if it has none at its end;
  ///   each other newline becomes a space. Any thread may call it, usually the thread that logs,
  ///   and several threads may call it at once.
  public init(line: @escaping @Sendable (LogRecord) -> String) {
    self.init(.text, color: .never)
    custom = CustomLine(line: line)
  }

  /// Creates the format of that name.
  ///
  /// - Parameter name: The name of a layout: `text`, `logfmt` or `json`.
  /// - Throws: ``SettingError`` if no layout has that name.
  public init(name: String) throws(SettingError) {
    guard let layout = Layout(rawValue: name) else { throw .format(name) }
    self.init(layout)
  }

  /// Returns the record as one line with a newline.
  ///
  /// The line is colored only with ``Color/always``.
  ///
  /// - Parameter record: The record to write.
  public func line(_ record: LogRecord) -> String {
    LineBuffer.with { line in
      write(record, colored: color == .always, to: &line)
      return line.text
    }
  }

  /// Calls `body` with the bytes of the line and its newline, which are valid until `body` returns.
  ///
  /// The line is colored only with ``Color/always``. In the layouts `text` and `json`, a line of up
  /// to about 1,000 bytes costs no allocation.
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

  /// Writes the parts of a record without making a `LogRecord`, which would retain each of them.
  @inline(__always)
  func write(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, colored: Bool, to line: inout LineBuffer
  ) {
    if custom != nil { return writeCustom(date, level, message, metadata, source, to: &line) }
    switch layout {
    case .text: writeText(date, level, message, metadata, source, colored: colored, to: &line)
    case .logfmt: writeLogfmt(date, level, message, metadata, source, to: &line)
    case .json: writeJSON(date, level, message, metadata, source, to: &line)
    }
    line.append(UInt8(ascii: "\n"))
  }

  @inline(never)
  private func writeCustom(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace, to line: inout LineBuffer
  ) {
    custom?.write(LogRecord(date, level, message, metadata, source), to: &line)
  }
}

/// A form of lines that a program has made, which equals itself alone.
private final class CustomLine: Hashable, Sendable {
  private let line: @Sendable (LogRecord) -> String

  init(line: @escaping @Sendable (LogRecord) -> String) { self.line = line }

  static func == (left: CustomLine, right: CustomLine) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  func write(_ record: LogRecord, to buffer: inout LineBuffer) {
    let newline = UInt8(ascii: "\n")
    let text = line(record).utf8
    for byte in text.dropLast(text.last == newline ? 1 : 0) {
      buffer.append(byte == newline ? UInt8(ascii: " ") : byte)
    }
    buffer.append(newline)
  }
}
