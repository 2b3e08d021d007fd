extension Log {
  // Inlinable: the load of the gate must stand at the call, with nothing made before it.

  /// Logs to the log in force here, if it accepts the level.
  ///
  /// The record has what an error says as `exception.type`, `exception.message` and
  /// `exception.causes`, see ``AmbientFields/init(_:)-(Error)``; nil adds nothing.
  ///
  /// ```swift
  /// Log.error("the order was not placed", ["order": order.id], error: error)
  /// ```
  ///
  /// - Parameters:
  ///   - level: How severe it is.
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(level) else { return }
    LogCall.submit(
      level, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `trace`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func trace(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.trace) else { return }
    LogCall.submit(
      .trace, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `debug`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func debug(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.debug) else { return }
    LogCall.submit(
      .debug, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `info`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func info(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.info) else { return }
    LogCall.submit(
      .info, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `notice`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func notice(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.notice) else { return }
    LogCall.submit(
      .notice, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line)
    )
  }

  /// Logs to the log in force here at the level `warning`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func warning(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.warning) else { return }
    LogCall.submit(
      .warning, message, metadata, error,
      SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `error`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func error(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.error) else { return }
    LogCall.submit(
      .error, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to the log in force here at the level `critical`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  @inlinable
  public static func critical(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard LogGate.passes(.critical) else { return }
    LogCall.submit(
      .critical, message, metadata, error,
      SourcePlace(fileID: fileID, function: function, line: line))
  }
}

/// A call of the façade that passed the gate.
///
/// Apart from ``Log``, whose static methods would be handed the class at each call.
@usableFromInline
enum LogCall {
  /// Logs to the log in force here.
  @usableFromInline @inline(never)
  static func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ error: (any Error)?, _ source: SourcePlace
  ) {
    if let error { return submit(level, message, { fields(error, metadata) }, nil, source) }
    LogGate.open()
    // Borrowed, which scales with threads: a replaced instance is never freed. A function with a
    // name, since a closure of this size would not be inlined: two frames cost 15 ns after a write.
    @inline(__always)
    func hand(to log: Log) { log.submit(level, message, metadata, source) }
    Log.context.withServiceOnce(hand)
  }

  /// What the error says, and what the call adds, which wins.
  fileprivate static func fields(
    _ error: any Error, _ metadata: () -> AmbientFields
  ) -> AmbientFields {
    AmbientFields(error).merging(metadata())
  }
}

extension Log {
  /// Logs to this log, if it accepts the level.
  ///
  /// - Parameters:
  ///   - level: How severe it is.
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      level, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `trace`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func trace(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .trace, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `debug`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func debug(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .debug, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `info`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func info(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .info, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `notice`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func notice(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .notice, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line)
    )
  }

  /// Logs to this log at the level `warning`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func warning(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .warning, message, metadata, error,
      SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `error`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func error(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .error, message, metadata, error, SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log at the level `critical`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if a log accepts the level.
  ///   - metadata: Fields of this record; of two with one name, these win over the scope's.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - function: The function of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public final func critical(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .critical, message, metadata, error,
      SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// One piece of code for the methods of instances.
  @inline(never)
  private final func submitFromInstance(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ error: (any Error)?, _ source: SourcePlace
  ) {
    LogGate.open()
    guard let error else { return submit(level, message, metadata, source) }
    submit(level, message, { LogCall.fields(error, metadata) }, source)
  }
}
