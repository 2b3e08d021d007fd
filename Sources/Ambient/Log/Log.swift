/// What the program says of its work: an ambient context whose default writes to standard error.
///
/// ```swift
/// Log.info("order placed", ["order": order.id, "total": order.total])
/// ```
///
/// A message and its metadata are evaluated only if the log in force accepts the level. A log in
/// trouble (a full disk) never throws into its caller: it counts, and reports once to
/// ``Diagnostics``. Subclasses override ``write(_:)``; most programs need none:
/// `Log.instance = .calling { record in … }`. Safe to use from any thread.
open class Log: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Log>("Log") { StderrLog() }

  /// The log in force here. Assign it at the start of the program, or in a scope.
  public static var instance: Log {
    get { context.instance }
    set { context.instance = newValue }
  }

  /// Runs `body` with `log` bound for this task and those that it starts.
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try context.withInstance(log, body)
  }

  /// Runs `body` with `log` bound for this task and those that it starts.
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await context.withInstance(log, body)
  }

  /// A log that calls `handler` for each record of `level` and above, on the caller's thread.
  public static func calling(
    level: LogLevel = .trace, _ handler: @escaping @Sendable (LogRecord) -> Void
  ) -> Log {
    CallingLog(level: level, handler)
  }

  /// The lowest level that the log accepts.
  public let level: LogLevel

  /// Makes a log that accepts `level` and above, and discards what it accepts.
  public init(level: LogLevel = .info) { self.level = level }

  /// Takes one record; on the thread of the caller, who waits. The base class discards it.
  open func write(_ record: LogRecord) {}

  /// Delivers what the log holds back. The base class holds nothing.
  open func flush() {}

  /// Delivers what the log holds back, and ends what it started, by the deadline.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Whether a record of that level would be written.
  open func accepts(_ level: LogLevel) -> Bool { level >= self.level }

  /// Logs to this log, if it accepts the level.
  public final func log(
    _ level: LogLevel, _ message: @autoclosure () -> LogMessage,
    _ metadata: @autoclosure () -> AmbientFields = [:],
    fileID: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard accepts(level) else { return }
    write(
      LogRecord(
        date: Time.now, level: level, message: message(), metadata: metadata(),
        source: LogSource(fileID: fileID, function: function, line: line)))
  }
}

private final class CallingLog: Log, @unchecked Sendable {
  private let handler: @Sendable (LogRecord) -> Void

  init(level: LogLevel, _ handler: @escaping @Sendable (LogRecord) -> Void) {
    self.handler = handler
    super.init(level: level)
  }

  override func write(_ record: LogRecord) { handler(record) }
}
