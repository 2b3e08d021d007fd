/// A log that writes a line for each record to standard output, at once.
///
/// Neither a reader that goes away, nor one that does not read for a second, stops the program or
/// the log: lost records are counted, and reported to ``Diagnostics``.
public final class StdoutLog: Log, @unchecked Sendable {
  /// Creates a log that accepts records by their level.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default `LOG_LEVEL`'s.
  ///   - format: The format of a line.
  public convenience init(level: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardOutput, level: level, format: format)
  }

  /// Creates a log that opens the pipe of standard output a second time, for itself alone (Linux).
  ///
  /// A line then costs less. But the log writes to that pipe, and keeps it open, as long as it
  /// lives, even if standard output is redirected later; an instance of the process lives until the
  /// process ends. Standard output that is no pipe is used as it is.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default `LOG_LEVEL`'s.
  ///   - format: The format of a line.
  public static func reopeningPipe(
    level: LogLevels = .environment, format: LogFormat = .text
  ) -> StdoutLog {
    StdoutLog(.standardOutput, level: level, format: format, reopensPipe: true)
  }

  /// Creates a log that writes to an open file.
  init(
    _ descriptor: FileDescriptor, level: LogLevels = .info,
    format: LogFormat = .text, reopensPipe: Bool = false, patience: Duration = LineSink.patience
  ) {
    let sink = LineSink(
      descriptor, reopensPipe: reopensPipe, patience: patience, source: "StdoutLog")
    super.init(level, RecordLineWriter(sink, format))
  }
}
