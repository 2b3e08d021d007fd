/// A log that writes a line for each record to standard output, at once.
public final class StdoutLog: Log, @unchecked Sendable {
  private let sink = LineSink(.standardOutput, source: "StdoutLog")

  /// Makes a log that accepts `level` and above.
  public override init(level: LogLevel = .info) { super.init(level: level) }

  /// Writes a line.
  public override func write(_ record: LogRecord) { sink.write(TextFormat.line(record)) }
}
