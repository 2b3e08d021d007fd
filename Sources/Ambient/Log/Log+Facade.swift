extension Log {
  // Inlinable: the load of the gate must stand at the call, with nothing made before it.

  /// Logs to the log in force here, if it accepts the level.
  @inlinable
  public static func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(level) else { return }
    submit(level, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `trace`.
  @inlinable
  public static func trace(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.trace) else { return }
    submit(.trace, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `debug`.
  @inlinable
  public static func debug(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.debug) else { return }
    submit(.debug, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `info`.
  @inlinable
  public static func info(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.info) else { return }
    submit(.info, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `notice`.
  @inlinable
  public static func notice(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.notice) else { return }
    submit(.notice, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `warning`.
  @inlinable
  public static func warning(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.warning) else { return }
    submit(.warning, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `error`.
  @inlinable
  public static func error(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.error) else { return }
    submit(.error, message, metadata, fileID, function, line)
  }

  /// Logs to the log in force here at the level `critical`.
  @inlinable
  public static func critical(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.critical) else { return }
    submit(.critical, message, metadata, fileID, function, line)
  }

  @usableFromInline @inline(never)
  static func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ fileID: String, _ function: String, _ line: UInt
  ) {
    LogGate.open()
    // Borrowed, which scales with threads: whoever replaces it keeps it alive.
    context.withService { log in
      log.submit(level, message, metadata, fileID, function, line)
    }
  }
}
