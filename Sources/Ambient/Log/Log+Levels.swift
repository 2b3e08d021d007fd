extension Log {
  /// Logs to this log at the level `trace`.
  public final func trace(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.trace, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `debug`.
  public final func debug(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.debug, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `info`.
  public final func info(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.info, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `notice`.
  public final func notice(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.notice, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `warning`.
  public final func warning(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.warning, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `error`.
  public final func error(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.error, message(), metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs to this log at the level `critical`.
  public final func critical(
    _ message: @autoclosure () -> LogMessage, _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.critical, message(), metadata(), fileID: fileID, function: function, line: line)
  }
}
