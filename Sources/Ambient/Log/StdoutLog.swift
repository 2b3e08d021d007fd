// SPDX-License-Identifier: Apache-2.0

/// A log that writes a line for each record to standard output, at once.
///
/// A reader that goes away, or does not read for a second, stops neither the program nor the log:
/// lost records are counted, and reported to ``Diagnostics``. So that a missing reader does not end
/// the program, the log installs an empty handler for SIGPIPE, unless the program has set an action
/// for that signal.
public final class StdoutLog: Log, @unchecked Sendable {
  /// Creates a log that accepts records by their level.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default from `LOG_LEVEL`.
  ///   - format: The format of a line.
  public convenience init(level: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardOutput, level: level, format: format)
  }

  /// Creates a log that, on Linux, opens the pipe of standard output a second time, for itself
  /// alone.
  ///
  /// Writing a line then takes less time. But the log keeps that pipe open and writes to it as long
  /// as the log lives, even if standard output is redirected later. A log that was ever the
  /// process's instance lives until the process ends. Until standard output is a pipe, the log does
  /// not differ from a log that ``init(level:format:)`` creates.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default from `LOG_LEVEL`.
  ///   - format: The format of a line.
  public static func reopeningPipe(
    level: LogLevels = .environment, format: LogFormat = .text
  ) -> StdoutLog {
    StdoutLog(.standardOutput, level: level, format: format, reopensPipe: true)
  }

  /// Creates a log that writes to an open file descriptor.
  init(
    _ descriptor: FileDescriptor, level: LogLevels = .info,
    format: LogFormat = .text, reopensPipe: Bool = false,
    patience: Duration = LineStream.patience
  ) {
    let stream = LineStream(descriptor, reopensPipe: reopensPipe, patience: patience)
    let sink = LineSink(stream, source: "StdoutLog")
    super.init(level, RecordLineWriter(sink, format))
  }
}
