/// A log that writes a line for each record to standard error, at once, as ``StdoutLog`` does.
public final class StderrLog: Log, @unchecked Sendable {
  /// Makes a log that accepts what `levels` say.
  public init(levels: LogLevels = .environment, format: LogFormat = .text) {
    super.init(levels, LogWriter(LineSink(.standardError, source: "StderrLog"), format))
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(level: LogLevel, format: LogFormat = .text) {
    self.init(levels: LogLevels(level), format: format)
  }

  /// How many records could not be written, because nobody read for example.
  public var lostRecords: Int { lostLines }
}
