/// A log that keeps its records in memory, for tests to look at.
public final class LogRecorder: Log, @unchecked Sendable {
  private let kept = Guarded<[LogRecord]>([])

  /// Makes a recorder that accepts `level` and above.
  public override init(level: LogLevel = .trace) { super.init(level: level) }

  /// What was logged, oldest first.
  public var records: [LogRecord] { kept.withLock { $0 } }

  /// The texts of what was logged, oldest first.
  public var messages: [String] { records.map(\.message.description) }

  /// Keeps the record.
  public override func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }
}
