// SPDX-License-Identifier: Apache-2.0

/// A log that passes each record to several other logs, each of which has its own level and format.
///
/// ```swift
/// Log.instance = MultiLog(
///   StdoutLog(), try FileLog(path: "shop.log", level: .debug, format: .json))
/// ```
public final class MultiLog: Log, @unchecked Sendable {
  private let all: [Log]

  /// Creates a log that passes each record to these logs, in order.
  ///
  /// The new log's own level, initially `trace`, is an additional limit.
  ///
  /// - Parameter logs: The logs. A log that is listed twice gets each record twice.
  public convenience init(_ logs: Log...) { self.init(logs) }

  /// Creates a log that passes each record to these logs, in order.
  ///
  /// The new log's own level, initially `trace`, is an additional limit.
  ///
  /// - Parameter all: The logs. A log that is listed twice gets each record twice.
  public init(_ all: [Log]) {
    self.all = all
    super.init(asking: ())
  }

  /// Whether both this log's own level and at least one of its logs accept a record of that level
  /// from that file.
  ///
  /// - Parameters:
  ///   - level: The level of the record.
  ///   - fileID: The file of the call; its first part is the module.
  public override func accepts(_ level: LogLevel, fileID: String = #fileID) -> Bool {
    super.accepts(level, fileID: fileID) && all.contains { $0.accepts(level, fileID: fileID) }
  }

  /// Passes the record to the logs that accept it.
  ///
  /// - Parameter record: The record.
  public override func write(_ record: LogRecord) {
    for log in all where log.accepts(record.level, fileID: record.source.fileID) {
      log.write(record)
    }
  }

  /// The sum of the logs' lost records; a log that is listed twice counts twice.
  public override var lostRecords: Int { all.reduce(0) { $0 + $1.lostRecords } }

  /// Flushes each log.
  public override func flush() { for log in all { log.flush() } }

  /// Stops all logs in parallel, so that a log that hangs does not delay the other logs.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting for the logs.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await parts.shutdown(deadline: deadline)
  }
}

extension MultiLog: ServiceGroup {
  /// The logs. `LogGate` counts their installations in place of this log's, because their levels
  /// decide which records are logged.
  var members: [any AmbientService] { all }
}
