// SPDX-License-Identifier: Apache-2.0

extension Log {
  // These functions are inlinable, so that the call site compares the level with `LogGate` before
  // it builds any argument.

  /// Logs to the current log, if that log accepts the level.
  ///
  /// The error's type and message become the fields `exception.type` and `exception.message`. Its
  /// causes, if it has any, become `exception.causes`; see ``AmbientFields/init(_:)-(Error)``.
  ///
  /// ```swift
  /// Log.error("the order was not placed", ["order": order.id], error: error)
  /// ```
  ///
  /// - Parameters:
  ///   - level: The record's severity.
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `trace`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `debug`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `info`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `notice`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `warning`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `error`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

  /// Logs to the current log at the level `critical`.
  ///
  /// - Parameters:
  ///   - message: The text; evaluated only if the current log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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

/// The second step of a static call such as `Log.info`, after `LogGate` has let the level pass.
///
/// This is not a method of ``Log``, because a static method of a class gets the class as an extra
/// argument in each call.
@usableFromInline
enum LogCall {
  /// Logs to the current log.
  @usableFromInline @inline(never)
  static func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ error: (any Error)?, _ source: SourcePlace
  ) {
    if let error { return submit(level, message, { fields(error, metadata) }, nil, source) }
    LogGate.open()
    // Borrows the log without a retain, because all threads would contend for its reference count.
    // This is safe, because a replaced instance is never freed. `hand` is a named function, because
    // the compiler does not inline a closure of this size. The closure's two stack frames would
    // cost 15 ns: each return after the system call of a write is mispredicted.
    @inline(__always)
    func hand(to log: Log) { log.submit(level, message, metadata, source) }
    Log.context.withServiceOnce(hand)
  }

  /// Merges the error's fields with the call's metadata, which wins where names are equal.
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
  ///   - level: The record's severity.
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
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
  ///   - message: The text; evaluated only if this log accepts the level.
  ///   - metadata: Fields of this record; they win over all other fields of the same name.
  ///   - error: An error, whose type, message and causes become fields; nil for none.
  ///   - fileID: The call's file, for the module's level and the source; supplied by the compiler.
  ///   - function: The function of the call, for the record's source; supplied by the compiler.
  ///   - line: The line of the call, for the record's source; supplied by the compiler.
  public final func critical(
    _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = AmbientFields(), error: (any Error)? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    submitFromInstance(
      .critical, message, metadata, error,
      SourcePlace(fileID: fileID, function: function, line: line))
  }

  /// Logs to this log. All instance methods share this method, so that each of them stays small.
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
