extension Log {
  /// Logs to the log in force here, if it accepts the level.
  public static func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    // Handed out, not borrowed: a message may take long and may assign another instance.
    instance.log(level, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `trace`.
  public static func trace(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .trace, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `debug`.
  public static func debug(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .debug, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `info`.
  public static func info(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .info, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `notice`.
  public static func notice(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .notice, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `warning`.
  public static func warning(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .warning, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `error`.
  public static func error(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .error, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to the log in force here at the level `critical`.
  public static func critical(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    instance.log(
      .critical, message(), metadata(), fileID: fileID, function: function, line: line)
  }
}
