/// A log that writes a line for each record to standard error, at once, as ``StdoutLog`` does.
public final class StderrLog: Log, @unchecked Sendable {
  /// Makes a log that accepts what `levels` say.
  ///
  /// - Parameter reopensPipe: Whether a pipe is opened once more for this log alone (Linux): a line
  ///   then costs a sixth less, but the log writes to that pipe, and keeps it open, as long as it
  ///   lives, whatever standard error is redirected to. An instance of the process lives to the end.
  public init(
    levels: LogLevels = .environment, format: LogFormat = .text, reopensPipe: Bool = false
  ) {
    let sink = LineSink(.standardError, reopensPipe: reopensPipe, source: "StderrLog")
    super.init(levels, LogWriter(sink, format))
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(
    level: LogLevel, format: LogFormat = .text, reopensPipe: Bool = false
  ) {
    self.init(levels: LogLevels(level), format: format, reopensPipe: reopensPipe)
  }

  /// How many records could not be written, because nobody read for example.
  public var lostRecords: Int { lostLines }
}
