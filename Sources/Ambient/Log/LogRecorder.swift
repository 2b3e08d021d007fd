// SPDX-License-Identifier: Apache-2.0

/// A log that keeps its records in memory, for tests.
public final class LogRecorder: Log, @unchecked Sendable {
  private let kept = Guarded<[LogRecord]>([])

  /// Creates a recorder that accepts records by their level.
  ///
  /// - Parameter level: The lowest accepted level, in general and by module.
  public override init(level: LogLevels = .trace) { super.init(level: level) }

  /// The current log, which must be a recorder, for example the recorder of the test trait
  /// `.log(LogRecorder())`.
  ///
  /// - Throws: ``NoRecorderError`` if the current log is of another kind.
  public static var current: LogRecorder {
    get throws(NoRecorderError) { try NoRecorderError.check(instance) }
  }

  /// The records, oldest first.
  public var records: [LogRecord] { kept.withLock { $0 } }

  /// The messages of the records, oldest first.
  public var messages: [String] { records.map(\.message.description) }

  /// Adds the record to `records`.
  ///
  /// - Parameter record: The record.
  public override func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }
}
