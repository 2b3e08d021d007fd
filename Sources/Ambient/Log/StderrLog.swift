/// A log that writes a line for each record to standard error, at once, as ``StdoutLog`` does.
public final class StderrLog: Log, @unchecked Sendable {
  /// Makes a log that accepts what `levels` say.
  public convenience init(levels: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardError, levels, format)
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(level: LogLevel, format: LogFormat = .text) {
    self.init(levels: LogLevels(.from(level)), format: format)
  }

  /// Makes a log that opens a pipe once more, for itself alone, with the gain and the price that
  /// ``StdoutLog/reopeningPipe(levels:format:)`` has.
  public static func reopeningPipe(
    levels: LogLevels = .environment, format: LogFormat = .text
  ) -> StderrLog {
    StderrLog(.standardError, levels, format, reopensPipe: true)
  }

  private init(
    _ descriptor: FileDescriptor, _ levels: LogLevels, _ format: LogFormat,
    reopensPipe: Bool = false
  ) {
    let sink = LineSink(descriptor, reopensPipe: reopensPipe, source: "StderrLog")
    super.init(levels, LogWriter(sink, format))
  }
}
