extension Log {
  /// Logs an error to the log in force here, if that accepts the level.
  ///
  /// The record has what the error says as `exception.type`, `exception.message` and
  /// `exception.causes`, see ``AmbientFields/init(_:)-(Error)``; nil adds nothing.
  ///
  /// ```swift
  /// Log.error("the order was not placed", error, ["order": order.id])
  /// ```
  @inlinable
  public static func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(level) else { return }
    LogCall.submit(
      level, message, error, metadata, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs an error to the log in force here at the level `warning`.
  @inlinable
  public static func warning(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.warning, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs an error to the log in force here at the level `error`.
  @inlinable
  public static func error(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.error, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs an error to the log in force here at the level `critical`.
  @inlinable
  public static func critical(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.critical, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }
}

extension LogCall {
  /// Logs an error to the log in force here.
  @usableFromInline @inline(never)
  static func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ error: (any Error)?,
    _ metadata: () -> AmbientFields, _ source: SourcePlace
  ) {
    submit(level, message, { fields(error, metadata) }, source)
  }

  /// What the error says, and what the call adds, which wins.
  static func fields(
    _ error: (any Error)?, _ metadata: () -> AmbientFields
  ) -> AmbientFields {
    guard let error else { return metadata() }
    return AmbientFields(error).merging(metadata())
  }
}

extension Log {
  /// Logs an error to this log, if it accepts the level.
  public final func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      level, message, { LogCall.fields(error, metadata) },
      SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs an error to this log at the level `warning`.
  public final func warning(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.warning, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs an error to this log at the level `error`.
  public final func error(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.error, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }

  /// Logs an error to this log at the level `critical`.
  public final func critical(
    _ message: @autoclosure () -> LogMessage, _ error: (any Error)?,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(),
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    log(.critical, message(), error, metadata(), fileID: fileID, function: function, line: line)
  }
}
