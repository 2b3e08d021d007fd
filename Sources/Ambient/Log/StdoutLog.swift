/// A log that writes a line for each record to standard output, at once.
///
/// A reader that goes away, or one that does not read for a second, stops neither the program nor
/// the log: what is lost is counted, and reported to ``Diagnostics``.
public final class StdoutLog: Log, @unchecked Sendable {
  /// Makes a log that accepts records from that level on.
  ///
  /// - Parameters:
  ///   - level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not said.
  ///   - format: How a record is written.
  public convenience init(level: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardOutput, level: level, format: format)
  }

  /// Makes a log that opens a pipe once more, for itself alone (Linux).
  ///
  /// A line then costs less. But the log writes to that pipe, and keeps it open, as long as
  /// it lives, whatever standard output is redirected to; an instance of the process lives to the
  /// end. What is no pipe is written to as it is.
  ///
  /// - Parameters:
  ///   - level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not said.
  ///   - format: How a record is written.
  public static func reopeningPipe(
    level: LogLevels = .environment, format: LogFormat = .text
  ) -> StdoutLog {
    StdoutLog(.standardOutput, level: level, format: format, reopensPipe: true)
  }

  /// Makes a log that writes to an open file.
  init(
    _ descriptor: FileDescriptor, level: LogLevels = .info,
    format: LogFormat = .text, reopensPipe: Bool = false, patience: Duration = LineSink.patience
  ) {
    let sink = LineSink(
      descriptor, reopensPipe: reopensPipe, patience: patience, source: "StdoutLog")
    super.init(level, LogWriter(sink, format))
  }
}
