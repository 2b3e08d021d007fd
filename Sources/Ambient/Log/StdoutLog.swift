/// A log that writes a line for each record to standard output, at once.
///
/// A reader that goes away, or one that does not read for a second, stops neither the program nor
/// the log: what is lost is counted, and reported to ``Diagnostics``.
public final class StdoutLog: Log, @unchecked Sendable {
  /// Makes a log that accepts what `levels` say.
  public init(levels: LogLevels = .environment, format: LogFormat = .text) {
    super.init(levels, LogWriter(LineSink(.standardOutput, source: "StdoutLog"), format))
  }

  /// Makes a log that accepts `level` and above.
  public convenience init(level: LogLevel, format: LogFormat = .text) {
    self.init(levels: LogLevels(level), format: format)
  }

  /// Makes a log that writes to an open file, for tests.
  init(_ descriptor: FileDescriptor, level: LogLevel = .info, format: LogFormat = .text) {
    super.init(LogLevels(level), LogWriter(LineSink(descriptor, source: "StdoutLog"), format))
  }

  /// How many records could not be written, because nobody read for example.
  public var lostRecords: Int { lostLines }
}
