internal import Synchronization

/// The program's log: an ambient context whose default writes to standard error.
///
/// ```swift
/// Log.info("order placed", ["order": order.id, "total": order.total])
/// ```
///
/// A message and its metadata are evaluated only if the log in force accepts the level. A log in
/// trouble (a full disk) never throws into its caller: it counts lost records, and reports the
/// first trouble to ``Diagnostics``. Subclasses override ``write(_:)``; most programs need none:
/// `Log.instance = .calling { record in … }`. Safe to use from any thread.
open class Log: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Log>(
    "Log", default: { StderrLog() },
    inForce: { log, change, ofProcess in
      guard let log else { return LogGate.adjustDefaults(by: change) }
      // Safe downcast: this context holds only logs.
      unsafeDowncast(log, to: Log.self).adjust(places: change, ofProcess: ofProcess)
    })
  private static let nesting = RecursionLimit(source: "Log")

  /// The log in force here. Assign it at the start of the program, or in a scope.
  public static var instance: Log {
    get { context.instance }
    // Inlined, so that the assigning function stays on the stack for a report.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Runs `body` with `log` bound for this task and the tasks that it starts.
  ///
  /// Assignments to ``metadata`` and ``metadataProvider`` inside end with the scope, too.
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

  /// Runs `body` with `log` bound for this task and the tasks that it starts.
  ///
  /// - Parameters:
  ///   - log: The log that gets the records of the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(log), body)
  }

  /// Replaces the instance in force here by a new ``StderrLog``.
  ///
  /// Like an assignment: after the first read, it is reported.
  @inlinable
  public static func resetToDefault() { if let late = assignDefault() { late.report() } }

  @usableFromInline
  static func assignDefault() -> LateAssignment? { context.assignDefault() }

  @usableFromInline
  static func assign(_ log: Log) -> LateAssignment? { context.assign(log) }

  @usableFromInline
  static func binding(_ log: Log) -> Bindings { context.binding(log) }

  /// A log that calls `handler` for each record of `level` and above, on the caller's thread.
  ///
  /// - Parameters:
  ///   - level: The lowest accepted level, in general and by module.
  ///   - handler: Called for each record, by any thread and by several at once.
  public static func calling(
    level: LogLevels = .trace, _ handler: @escaping @Sendable (LogRecord) -> Void
  ) -> Log {
    CallingLog(level: level, handler)
  }

  /// The number of records of the whole process that were lost because they were logged while
  /// another one was made or written, eight deep: for example by a description that logs the value
  /// it describes.
  public static var recordsLostInRecursion: Int { nesting.lostCalls }

  private let filter: LiveLogLevels
  /// The writer of logs that write lines: in the base class, so that a line needs neither a
  /// `LogRecord` nor a call of a subclass's method.
  private let writer: RecordLineWriter?
  /// The number of places in which this log is in force.
  private let places = Atomic<Int>(0)
  /// Whether this log was ever the process's instance: the process never frees those.
  private let isKeptForGood = Atomic<Bool>(false)

  /// Creates a log that accepts records by their level, and discards them.
  ///
  /// - Parameter level: The lowest accepted level, in general and by module; by default
  ///   `LOG_LEVEL`'s.
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

  /// The lowest accepted level, in general and by module; can be changed at any time.
  ///
  /// ```swift
  /// log.level = .warning
  /// log.level["Checkout"] = .debug
  /// ```
  ///
  /// An assignment replaces the levels of modules, too; `log.level.general = .warning` keeps them.
  /// A change of one module reads and writes the whole value, so changes by two threads need a lock
  /// of yours.
  public final var level: LogLevels {
    get { filter.levels }
    set { LogGate.set(newValue, of: filter, places) }
  }

  /// Whether this log discards records on purpose, so that it reports no discarded work.
  open var discardsRecords: Bool { type(of: self) == Log.self }

  /// Takes one record, on the thread of the caller, who waits. A log without a writer of lines,
  /// such as a class of your own, must override this: the base class discards the record, and
  /// reports that once for each class.
  ///
  /// - Parameter record: The record; values that are not public are replaced by marks.
  open func write(_ record: LogRecord) {
    switch writer {
    case .some(let writer):
      writer.write(
        record.date, record.level, record.namedMessage, record.fields, record.source)
    case nil:
      guard !discardsRecords else { return }
      DiscardedWork.report(
        by: type(of: self), "records", overriding: "write(_ record: LogRecord)",
        silencedBy: "discardsRecords")
    }
  }

  /// The number of records that could not be written, because the disk was full or the reader too
  /// slow; zero for a log that writes no lines and does not override this.
  open var lostRecords: Int {
    switch writer {
    case .some(let writer): writer.sink.failures.count
    case nil: 0
    }
  }

  /// Delivers buffered records; the base class has none.
  open func flush() {}

  /// Delivers buffered records, and stops the log's own work, by the deadline.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Whether the log accepts a record of that level from that file.
  ///
  /// - Parameters:
  ///   - level: The level of the record.
  ///   - fileID: The file of the call; its first part is the module.
  public func accepts(_ level: LogLevel, fileID: String = #fileID) -> Bool {
    filter.accepts(level.rank, fileID: fileID)
  }

  /// Logs an existing record as it is, if this log accepts its level.
  ///
  /// - Parameter record: The record, with its own date, place and metadata.
  public final func log(_ record: LogRecord) {
    guard accepts(record.level, fileID: record.source.fileID) else { return }
    Log.nesting.descend(.log) { write(record) }
  }

  /// Counts the places in which this log is in force.
  ///
  /// A log that is in force nowhere any more flushes. If it was an instance of the process, which
  /// is never freed, it also closes its file.
  func adjust(places change: Int, ofProcess: Bool) {
    if ofProcess { isKeptForGood.store(true, ordering: .relaxed) }
    guard LogGate.adjust(at: filter, places, by: change) else { return }
    if places.load(ordering: .relaxed) == 0 { flush() }
    guard isKeptForGood.load(ordering: .relaxed) else { return }
    switch writer {
    case .some(let writer):
      writer.sink.keepOpen { self.places.load(ordering: .relaxed) > 0 }
    case nil: break
    }
  }

  /// Logs if the level is accepted. Inlined in ``LogCall``; other callers use `submitFromInstance`,
  /// to keep the code small.
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
  private let handler: @Sendable (LogRecord) -> Void

  init(level: LogLevels, _ handler: @escaping @Sendable (LogRecord) -> Void) {
    self.handler = handler
    super.init(level: level)
  }

  override func write(_ record: LogRecord) { handler(record) }
}

/// A log that accepts nothing.
public final class NoLog: Log, @unchecked Sendable {
  /// Makes a log that accepts nothing.
  public init() { super.init(level: .off) }

  /// Always true: records passed to it directly are discarded, too.
  public override var discardsRecords: Bool { true }
}
