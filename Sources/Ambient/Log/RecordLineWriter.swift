// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// A writer of records as lines. It formats each record without a lock, and passes each line to the
/// sink in one piece.
struct RecordLineWriter: ~Copyable, Sendable {
  let sink: LineSink
  private let format: LogFormat
  /// Whether a line is colored if a terminal reads it, and whether always.
  private let wantsColor: Bool
  private let isColored: Bool

  init(_ sink: LineSink, _ format: LogFormat) {
    self.sink = sink
    self.format = format
    isColored = format.color == .always
    wantsColor = format.color == .automatic && Self.environmentWantsColor
    sink.file?.tellLoss { Self.notice(of: $0, format) }
  }

  /// Writes a line from the parts of a record.
  ///
  /// Inlined, so that fewer returns follow the system call. The system call discards the
  /// processor's return predictions, so each return after it is mispredicted.
  @inline(__always)
  func write(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: FieldBytes?,
    _ source: SourcePlace
  ) {
    let reader = sink.reader
    LineBuffer.with { line in
      if reader == .journal { line.append(level.journalPrefix) }
      let isColored = isColored || reader == .terminal && wantsColor
      format.write(date, level, message, metadata, source, colored: isColored, to: &line)
      sink.write(line.bytes, level >= .error ? .urgent : level >= .warning ? .important : .ordinary)
    }
  }

  /// Returns the line that reports the number of lost records. It is written to the log itself, at
  /// the position of the lost records.
  private static func notice(of lost: Int, _ format: LogFormat) -> [UInt8] {
    let record = LogRecord(
      date: Time.now, level: .warning,
      message: "lost \(lost.with("record")), which could not be written",
      metadata: ["lost": lost],
      source: SourcePlace(fileID: #fileID, function: #function, line: #line))
    return Array(format.line(record).utf8)
  }

  /// Whether the environment allows colors. An empty `NO_COLOR` counts as unset, by the convention
  /// of no-color.org.
  private static var environmentWantsColor: Bool {
    (Environment.value("NO_COLOR") ?? "").isEmpty && Environment.value("TERM") != "dumb"
  }
}

extension LogLevel {
  /// The severity that the journal of systemd reads before a line (sd-daemon(3)).
  fileprivate var journalPrefix: StaticString {
    switch self {
    case .trace, .debug: "<7>"
    case .info: "<6>"
    case .notice: "<5>"
    case .warning: "<4>"
    case .error: "<3>"
    case .critical: "<2>"
    }
  }
}
