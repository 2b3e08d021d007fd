// SPDX-License-Identifier: Apache-2.0

/// A log that writes each record to standard error immediately, as one line.
///
/// Like ``StdoutLog``, it continues if the reader is slow or goes away.
public final class StderrLog: Log, @unchecked Sendable {
  /// Creates a log that accepts records by their level.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default from `LOG_LEVEL`.
  ///   - format: The format of a line.
  public convenience init(level: LogLevels = .environment, format: LogFormat = .text) {
    self.init(.standardError, level, format)
  }

  /// Creates a log that, on Linux, opens the pipe of standard error a second time, for itself
  /// alone.
  ///
  /// ``StdoutLog/reopeningPipe(level:format:)`` describes the advantage and the cost.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module; by default from `LOG_LEVEL`.
  ///   - format: The format of a line.
  public static func reopeningPipe(
    level: LogLevels = .environment, format: LogFormat = .text
  ) -> StderrLog {
    StderrLog(.standardError, level, format, reopensPipe: true)
  }

  private init(
    _ descriptor: FileDescriptor, _ level: LogLevels, _ format: LogFormat,
    reopensPipe: Bool = false
  ) {
    let stream = LineStream(descriptor, reopensPipe: reopensPipe)
    let sink = LineSink(stream, source: "StderrLog")
    super.init(level, RecordLineWriter(sink, format))
  }
}
