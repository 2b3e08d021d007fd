/// A log that writes a line for each record to standard error, at once, as ``StdoutLog`` does.
public final class StderrLog: Log, @unchecked Sendable {
  /// Makes a log that accepts records from that level on.
  ///
  /// - Parameters:
  ///   - level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not said.
  ///   - format: How a record is written.
  public convenience init(level: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardError, level, format)
  }

  /// Makes a log that opens a pipe once more, for itself alone, with the gain and the price that
  /// ``StdoutLog/reopeningPipe(level:format:)`` has.
  ///
  /// - Parameters:
  ///   - level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not said.
  ///   - format: How a record is written.
  public static func reopeningPipe(
    level: LogLevels = .environment, format: LogFormat = .text
  ) -> StderrLog {
    StderrLog(.standardError, level, format, reopensPipe: true)
  }

  private init(
    _ descriptor: FileDescriptor, _ level: LogLevels, _ format: LogFormat,
    reopensPipe: Bool = false
  ) {
    let sink = LineSink(descriptor, reopensPipe: reopensPipe, source: "StderrLog")
    super.init(level, LogWriter(sink, format))
  }
}
