/// A log that writes a line for each record to standard output, at once.
///
/// A reader that goes away, or one that does not read for a second, stops neither the program nor
/// the log: what is lost is counted, and reported to ``Diagnostics``.
public final class StdoutLog: Log, @unchecked Sendable {
  /// Makes a log that accepts what `levels` say.
  ///
  /// - Parameter reopensPipe: Whether a pipe is opened once more for this log alone (Linux): a line
  ///   then costs a sixth less, but the log writes to that pipe, and keeps it open, as long as it
  ///   lives, whatever standard output is redirected to. An instance of the process lives to the end.
  public init(
    levels: LogLevels = .environment, format: LogFormat = .text, reopensPipe: Bool = false
  ) {
    let sink = LineSink(.standardOutput, reopensPipe: reopensPipe, source: "StdoutLog")
    super.init(levels, LogWriter(sink, format))
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(
    level: LogLevel, format: LogFormat = .text, reopensPipe: Bool = false
  ) {
    self.init(levels: LogLevels(level), format: format, reopensPipe: reopensPipe)
  }

  /// Makes a log that writes to an open file, for tests.
  init(
    _ descriptor: FileDescriptor, level: LogLevel = .info, format: LogFormat = .text,
    reopensPipe: Bool = false
  ) {
    let sink = LineSink(descriptor, reopensPipe: reopensPipe, source: "StdoutLog")
    super.init(LogLevels(level), LogWriter(sink, format))
  }

  /// How many records could not be written, because nobody read for example.
  public var lostRecords: Int { lostLines }
}
