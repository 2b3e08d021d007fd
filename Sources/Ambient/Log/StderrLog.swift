#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A log that writes a line for each record to standard error, at once, as ``StdoutLog`` does.
public final class StderrLog: Log, @unchecked Sendable {
  private let writer: LogWriter

  /// Makes a log that accepts what `levels` say.
  public init(levels: LogLevels = .environment, format: LogFormat = .text) {
    writer = LogWriter(LineSink(.standardError, source: "StderrLog"), format)
    super.init(levels: levels)
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(level: LogLevel, format: LogFormat = .text) {
    self.init(levels: LogLevels(level), format: format)
  }

  /// How many records could not be written, because nobody read for example.
  public var lostRecords: Int { writer.sink.failures.count }

  /// Writes a line.
  public override func write(_ record: LogRecord) { writer.write(record) }

  override func write(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: AmbientFields,
    _ source: LogSource
  ) {
    writer.write(date, level, message, metadata, source)
  }
}
