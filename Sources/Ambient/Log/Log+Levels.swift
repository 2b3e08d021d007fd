extension Log {
  /// Logs to this log, if it accepts the level.
  public final func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      level, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `trace`.
  public final func trace(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .trace, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `debug`.
  public final func debug(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .debug, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `info`.
  public final func info(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .info, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `notice`.
  public final func notice(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .notice, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `warning`.
  public final func warning(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .warning, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `error`.
  public final func error(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .error, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `critical`.
  public final func critical(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .critical, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }
}
