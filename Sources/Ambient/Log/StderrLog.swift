/// A log that writes a line for each record to standard error, at once.
public final class StderrLog: Log, @unchecked Sendable {
  private let sink = LineSink(.standardError, source: "StderrLog")

  /// Makes a log that accepts `level` and above.
  public override init(level: LogLevel = .info) { super.init(level: level) }

  /// Writes a line.
  public override func write(_ record: LogRecord) { sink.write(TextFormat.line(record)) }
}
