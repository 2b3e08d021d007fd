// SPDX-License-Identifier: Apache-2.0

/// The program's log: an ambient context whose default writes to standard error.
///
/// ```swift
/// Log.info("order placed", ["order": order.id, "total": order.total])
/// ```
///
/// A message and its metadata are evaluated only if the current log accepts the level. A log that
/// cannot write, for example because a disk is full, never throws an error: it counts the lost
/// records, and reports to ``Diagnostics`` when writing begins to fail and when it works again. If
/// calls of logs are nested more than eight deep on one thread, the record is lost, and the first
/// such loss is reported to ``Diagnostics``. A subclass overrides ``write(_:)``. Most programs need
/// no subclass, but write `Log.instance = .calling { record in … }`. The static members of a
/// subclass are those of this class: `NoLog.error("x")` logs to the current log. A log can be used
/// from any thread.
nonisolated open class Log: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Log>(
    "Log", default: { StderrLog() }, onInstallation: Log.noteInstallation)
  private static let nesting = RecursionLimit(source: "Log")

  /// The current log: that of the innermost scope that binds a log, or else that of the process.
  ///
  /// Assign it at the start of the program, or in a scope. ``AmbientContext/instance`` describes
  /// the effects of a first read and of a later assignment.
  public static var instance: Log {
    get { context.instance }
    // The setter is inlined, because a tail call to a separate setter would remove the assigning
    // function's frame from the stack before `assign` captures its callers.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Runs `body` with `log` as the current log of this task and of the tasks that it starts.
  ///
  /// Values that `body` assigns to ``metadata`` and ``metadataProvider`` apply only in this scope.
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - log: The log that gets the records of the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(log), body)
  }

  /// Runs `body` with `log` as the current log of this task and of the tasks that it starts.
  ///
  /// Values that `body` assigns to ``metadata`` and ``metadataProvider`` apply only in this scope.
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - log: The log that gets the records of the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(log), body)
  }

  @usableFromInline
  static func assign(_ log: Log) -> LateAssignment? { context.assign(log) }

  @usableFromInline
  static func binding(_ log: Log) -> Bindings {
    context.binding(log, with: LogMetadata.context.entry)
  }

  /// Returns a log that calls `handler` for each record of `level` and above, on the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module.
  ///   - flush: Called when the log is flushed, on any thread; must not wait for a network.
  ///   - shutdown: Awaited when the log is shut down, with the instant at which its caller stops
  ///     waiting; nil for a flush.
  ///   - handler: Called for each record, on any thread, and on several threads at once.
  public static func calling(
    level: LogLevels = .trace, flush: @escaping @Sendable () -> Void = {},
    shutdown: (@Sendable (ContinuousClock.Instant) async -> Void)? = nil,
    _ handler: @escaping @Sendable (LogRecord) -> Void
  ) -> Log {
    CallingLog(level: level, flush, shutdown ?? { _ in flush() }, handler)
  }

  /// The number of records lost in the whole process because calls of logs were nested more than
  /// eight deep on one thread: for example, by a description that logs the value it describes.
  package static var recordsLostInRecursion: Int { nesting.lostCalls }

  private let filter: LiveLogLevels
  /// The writer of a log that writes lines; nil for other logs. It is stored in the base class, so
  /// that writing a line needs neither a `LogRecord` nor a call of a subclass's method.
  private let writer: RecordLineWriter?
  private let installations = Installations()

  /// Creates a log that accepts records by their level; the base class discards them.
  ///
  /// - Parameter level: The lowest accepted level, in general and by module; by default from
  ///   `LOG_LEVEL`.
  public init(level: LogLevels = .environment) {
    filter = LiveLogLevels(level)
    writer = nil
  }

  /// Creates a log that always calls ``accepts(_:fileID:)``, which a subclass overrides.
  init(asking: Void) {
    filter = LiveLogLevels(.trace, asks: true)
    writer = nil
  }

  /// Creates a log that writes lines.
  init(_ level: LogLevels, _ writer: consuming RecordLineWriter) {
    filter = LiveLogLevels(level)
    self.writer = consume writer
  }

  /// The lowest accepted level, in general and by module; can be changed while the log is in use.
  ///
  /// ```swift
  /// log.level = .warning
  /// log.level["Checkout"] = .debug
  /// ```
  ///
  /// Assigning to `level` itself also replaces the levels of modules; assigning to
  /// `log.level.general` keeps them. Changing `general` or the level of one module reads and then
  /// writes the whole value. If two threads do so at the same time without synchronization, one
  /// change may be lost.
  public final var level: LogLevels {
    get { filter.levels }
    set { LogGate.set(newValue, of: filter, installations) }
  }

  /// Writes one record on the caller's thread, while the caller waits.
  ///
  /// A subclass outside this package must override this method. The base class discards the record,
  /// and reports that once for each subclass whose records reach this method. A class that discards
  /// its records on purpose overrides it with an empty body.
  ///
  /// - Parameter record: The record. Values that are not public are replaced by marks, unless
  ///   ``AmbientPrivacy/isRevealing`` was true when they were marked as private or sensitive.
  open func write(_ record: LogRecord) {
    switch writer {
    case .some(let writer):
      writer.write(
        record.date, record.level, record.namedMessage, record.fields, record.source)
    case nil:
      guard type(of: self) != Log.self else { return }
      DiscardingSubclass.report(
        by: type(of: self), "records", overriding: "write(_ record: LogRecord)")
    }
  }

  /// The number of records that could not be written, for example because the disk was full, or
  /// because the program that reads the log's pipe was too slow.
  ///
  /// Zero for a log that writes no lines and does not override this property. Records that are lost
  /// because calls are nested too deep do not count.
  open var lostRecords: Int {
    switch writer {
    case .some(let writer): writer.sink.failures.count
    case nil: 0
    }
  }

  /// Delivers buffered records; the base class has none.
  open func flush() {}

  /// Delivers buffered records by the deadline, and ends any background work of the log.
  ///
  /// The base class and ``FileLog`` only call ``flush()``.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Whether the log accepts a record, by its level and its module.
  ///
  /// - Parameters:
  ///   - level: The level of the record.
  ///   - fileID: The file of the call, in the form `module/file`.
  public func accepts(_ level: LogLevel, fileID: String = #fileID) -> Bool {
    filter.accepts(level.rank, fileID: fileID)
  }

  /// Logs an existing record as it is, if this log accepts its level and its module.
  ///
  /// The record gets no fields of the current scope.
  ///
  /// - Parameter record: The record, with its own date, source location and metadata.
  public final func log(_ record: LogRecord) {
    guard accepts(record.level, fileID: record.source.fileID) else { return }
    Log.nesting.descend(.log) { write(record) }
  }

  /// Adds `change` to the number of installations of a log, or of the default if `service` is nil.
  ///
  /// If the log is then installed nowhere, it flushes. In this case, a log that was ever the
  /// process's instance also closes its file, because such a log is never freed and would keep the
  /// file open.
  private static func noteInstallation(of service: AnyObject?, _ change: Int, ofProcess: Bool) {
    guard let service else { return LogGate.adjustDefaults(by: change) }
    // Safe downcast: this context holds only logs, and the parts of a `MultiLog` are logs.
    let log = unsafeDowncast(service, to: Log.self)
    guard LogGate.add(change, to: log.installations, ofProcess: ofProcess, of: log.filter)
    else { return }
    switch log.writer {
    case .some(let writer):
      if log.installations.wereOfProcess, let file = writer.sink.file {
        // Also writes the buffered lines, but does not wait for a disk that does not answer.
        return file.keep(while: log.installations)
      }
    case nil: break
    }
    if change < 0 { log.flush() }
  }

  /// Logs a message if its level is accepted.
  ///
  /// This method is inlined into ``LogCall``. To keep the code small, the instance methods share
  /// one copy of it, in `submitFromInstance`.
  @inline(__always)
  final func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ source: SourcePlace
  ) {
    guard filter.acceptsAll(level.rank) || accepts(level, fileID: source.fileID) else { return }
    Log.nesting.descend(.log) {
      let date = Time.now
      var message = message()
      let (fields, isReusable) = LogMetadata.complete(&message, metadata().bytes)
      switch writer {
      case .some(let writer): writer.write(date, level, message, fields, source)
      case nil: write(LogRecord(date, level, message, fields, source))
      }
      if isReusable, let fields { ThreadMemory.keep(fields: fields.memory) }
      message.giveBack()
    }
  }
}

private final class CallingLog: Log, @unchecked Sendable {
  private let flusher: @Sendable () -> Void
  private let stopper: @Sendable (ContinuousClock.Instant) async -> Void
  private let handler: @Sendable (LogRecord) -> Void

  init(
    level: LogLevels, _ flusher: @escaping @Sendable () -> Void,
    _ stopper: @escaping @Sendable (ContinuousClock.Instant) async -> Void,
    _ handler: @escaping @Sendable (LogRecord) -> Void
  ) {
    self.flusher = flusher
    self.stopper = stopper
    self.handler = handler
    super.init(level: level)
  }

  override func write(_ record: LogRecord) { handler(record) }

  override func flush() { flusher() }

  override func shutdown(deadline: ContinuousClock.Instant) async { await stopper(deadline) }
}

/// A log that discards all records.
///
/// It accepts no level until its ``Log/level`` is changed; then, messages are evaluated and
/// discarded.
public final class NoLog: Log, @unchecked Sendable {
  /// Creates a log whose level is `off`.
  public init() { super.init(level: .off) }

  /// Discards the record.
  ///
  /// - Parameter record: The record.
  public override func write(_ record: LogRecord) {}
}
