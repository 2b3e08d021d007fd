/// A log that keeps its records in memory, for tests to look at.
public final class LogRecorder: Log, @unchecked Sendable {
  private let kept = Guarded<[LogRecord]>([])

  /// Makes a recorder that accepts records from that level on.
  ///
  /// - Parameter level: From which level on records are kept.
  public override init(level: LogLevels = .trace) { super.init(level: level) }

  /// The recorder in force here, as the trait `.log(LogRecorder())` puts one in force.
  ///
  /// - Throws: ``NoRecorderError`` if another log is in force.
  public static var current: LogRecorder {
    get throws(NoRecorderError) { try NoRecorderError.check(instance) }
  }

  /// What was logged, oldest first.
  public var records: [LogRecord] { kept.withLock { $0 } }

  /// The texts of what was logged, oldest first.
  public var messages: [String] { records.map(\.message.description) }

  /// Keeps the record.
  ///
  /// - Parameter record: The record, which is kept behind all others.
  public override func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }
}

/// A recorder was asked for where another service is in force.
public struct NoRecorderError: DescribedError, Hashable {
  /// The type that was asked for.
  public let expected: String
  /// The type of the service in force.
  public let found: String

  /// The service in force, as the recorder that it should be.
  static func check<Recorder>(_ service: Any) throws(NoRecorderError) -> Recorder {
    guard let recorder = service as? Recorder else {
      throw NoRecorderError(expected: "\(Recorder.self)", found: "\(type(of: service))")
    }
    return recorder
  }

  /// Says what is in force, and how to put a recorder in force.
  public var description: String {
    """
    no \(expected) is in force here, but a \(found): assign one, bind it by withInstance, or give the \
    test the trait .log(LogRecorder()) or .analytics(AnalyticsRecorder())
    """
  }
}
