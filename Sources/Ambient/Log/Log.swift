internal import Synchronization

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
  static let context = AmbientContext<Log>(
    "Log", default: { StderrLog() },
    inForce: { log, change, ofProcess in
      guard let log else { return LogGate.adjustDefaults(by: change) }
      // The context has no services but logs.
      unsafeDowncast(log, to: Log.self).adjust(places: change, ofProcess: ofProcess)
    })
  private static let nesting = RecursionLimit(source: "Log")

  /// The log in force here. Assign it at the start of the program, or in a scope.
  public static var instance: Log {
    get { context.instance }
    // Inlined, so that the assigning caller stays on the stack for a report.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Runs `body` with `log` bound for this task and those that it starts.
  ///
  /// What is assigned to ``metadata`` and ``metadataProvider`` inside ends with the scope, too.
  ///
  /// - Parameters:
  ///   - log: What takes the records that are logged in the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(log), body)
  }

  /// Runs `body` with `log` bound for this task and those that it starts.
  ///
  /// - Parameters:
  ///   - log: What takes the records that are logged in the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ log: Log, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(log), body)
  }

  /// Puts a new ``StderrLog`` in the place of the instance in force here.
  ///
  /// As an assignment does: one that comes late is reported.
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
  ///   - level: From which level on records are accepted.
  ///   - handler: Called for each record, by any thread and by several at once.
  public static func calling(
    level: LogLevels = .trace, _ handler: @escaping @Sendable (LogRecord) -> Void
  ) -> Log {
    CallingLog(level: level, handler)
  }

  /// How many records of the whole process were lost because they were logged while making or
  /// writing another one, eight deep: by a description that logs what it describes, for example.
  public static var recordsLostInRecursion: Int { nesting.lostCalls }

  private let filter: LiveLogLevels
  /// Where records go as lines, for the logs that write some: here, so that a line needs neither a
  /// record nor a method of the subclass.
  private let writer: LogWriter?
  /// In how many places this log is in force.
  private let places = Atomic<Int>(0)
  /// Whether it was ever the process's.
  private let isKeptForGood = Atomic<Bool>(false)

  /// Makes a log that accepts records from that level on, and discards what it accepts.
  ///
  /// - Parameter level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not
  ///   said.
  public init(level: LogLevels = .environment) {
    filter = LiveLogLevels(level)
    writer = nil
  }

  /// Makes a log that always asks ``accepts(_:fileID:)``, which a subclass overrides.
  init(asking: Void) {
    filter = LiveLogLevels(.trace, asks: true)
    writer = nil
  }

  /// Makes a log that writes lines.
  init(_ level: LogLevels, _ writer: consuming LogWriter) {
    filter = LiveLogLevels(level)
    self.writer = consume writer
  }

  /// From which level on the log accepts records, in general and by module; may be changed at any
  /// time.
  ///
  /// ```swift
  /// log.level = .warning
  /// log.level["Checkout"] = .debug
  /// ```
  ///
  /// An assignment replaces the levels of modules, too; `log.level.general = .warning` leaves them.
  /// A change of one module reads and writes the whole: two threads that do so take turns.
  public final var level: LogLevels {
    get { filter.levels }
    set { LogGate.set(newValue, of: filter, places) }
  }

  /// Whether it is meant that this log discards what it accepts, so that nothing is reported.
  open var discardsRecords: Bool { type(of: self) == Log.self }

  /// Takes one record; on the thread of the caller, who waits. A log that has nowhere to write
  /// lines to, as a class of your own, discards it unless it overrides this, which is reported
  /// once for each class.
  ///
  /// - Parameter record: The record, with what is private replaced by marks.
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

  /// How many records could not be written, because the disk was full or no reader took them; none
  /// for a log that writes no lines, unless it overrides this.
  open var lostRecords: Int {
    switch writer {
    case .some(let writer): writer.sink.failures.count
    case nil: 0
    }
  }

  /// Delivers what the log holds back. The base class holds nothing.
  open func flush() {}

  /// Delivers what the log holds back, and ends what it started, by the deadline.
  ///
  /// - Parameter deadline: When the caller stops waiting.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Whether a record of that level, from that file, would be written.
  ///
  /// - Parameters:
  ///   - level: The level of the record.
  ///   - fileID: The file that logs it, whose first part is the module.
  public func accepts(_ level: LogLevel, fileID: String = #fileID) -> Bool {
    filter.accepts(level.rank, fileID: fileID)
  }

  /// Logs a record that was made elsewhere, if this log accepts its level, as it is.
  ///
  /// - Parameter record: The record, with its own date, place and metadata.
  public final func log(_ record: LogRecord) {
    guard accepts(record.level, fileID: record.source.fileID) else { return }
    Log.nesting.descend(.log) { write(record) }
  }

  /// Notes that this log came into force, or ceased to be in force, in so many places.
  ///
  /// A log that is in force nowhere any more delivers what it holds. If the process keeps it for
  /// good, it also lets go of what it needs only in force.
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

  /// Logs if the level is accepted. Inlined in ``LogCall``; what else calls it goes through
  /// ``submitFromInstance(_:_:_:_:_:)``.
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

  /// Always: what is written to it directly is discarded, too.
  public override var discardsRecords: Bool { true }
}
