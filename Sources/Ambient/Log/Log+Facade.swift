extension Log {
  // Inlinable: the load of the gate must stand at the call, with nothing made before it.

  /// Logs to the log in force here, if it accepts the level.
  @inlinable
  public static func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(level) else { return }
    LogCall.submit(
      level, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `trace`.
  @inlinable
  public static func trace(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.trace) else { return }
    LogCall.submit(
      .trace, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `debug`.
  @inlinable
  public static func debug(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.debug) else { return }
    LogCall.submit(
      .debug, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `info`.
  @inlinable
  public static func info(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.info) else { return }
    LogCall.submit(
      .info, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `notice`.
  @inlinable
  public static func notice(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.notice) else { return }
    LogCall.submit(
      .notice, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `warning`.
  @inlinable
  public static func warning(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.warning) else { return }
    LogCall.submit(
      .warning, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `error`.
  @inlinable
  public static func error(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.error) else { return }
    LogCall.submit(
      .error, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `critical`.
  @inlinable
  public static func critical(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.critical) else { return }
    LogCall.submit(
      .critical, message, metadata, LogSource(fileID: fileID, function: function, line: line))
  }
}
