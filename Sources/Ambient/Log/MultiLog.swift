/// A log that hands each record to several others, each with a level and a format of its own.
///
/// ```swift
/// Log.instance = MultiLog(StdoutLog(), try FileLog(path: "shop.log", level: .debug, format:
/// .json))
/// ```
public final class MultiLog: Log, @unchecked Sendable {
  private let all: [Log]

  /// A log that hands records to each, in that order; its own level may hold back more than theirs.
  ///
  /// - Parameter logs: Where each record goes; one that is named twice gets it twice.
  public convenience init(_ logs: Log...) { self.init(logs) }

  /// A log that hands records to `all`, in that order; its own level may hold back more than
  /// theirs.
  ///
  /// - Parameter all: Where each record goes; one that is named twice gets it twice.
  public init(_ all: [Log]) {
    self.all = all
    super.init(asking: ())
  }

  /// Whether one of them would write such a record.
  ///
  /// - Parameters:
  ///   - level: The level of the record.
  ///   - fileID: The file that logs it, whose first part is the module.
  public override func accepts(_ level: LogLevel, fileID: String = #fileID) -> Bool {
    super.accepts(level, fileID: fileID) && all.contains { $0.accepts(level, fileID: fileID) }
  }

  /// Hands the record to those that accept it.
  ///
  /// - Parameter record: The record, which is the same for all.
  public override func write(_ record: LogRecord) {
    for log in all where log.accepts(record.level, fileID: record.source.fileID) {
      log.write(record)
    }
  }

  /// How many records they could not write, taken together.
  public override var lostRecords: Int { all.reduce(0) { $0 + $1.lostRecords } }

  /// Flushes each.
  public override func flush() { for log in all { log.flush() } }

  /// Stops all at once: one that hangs costs the others none of their time.
  ///
  /// - Parameter deadline: When the caller stops waiting, for each of them.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await parts.shutdown(deadline: deadline)
  }

  /// Its places are theirs: the lowest of their levels is what counts.
  override func adjust(places change: Int, ofProcess: Bool) {
    for log in all { log.adjust(places: change, ofProcess: ofProcess) }
  }
}

extension MultiLog: ServiceGroup {
  var members: [any AmbientService] { all }
}
