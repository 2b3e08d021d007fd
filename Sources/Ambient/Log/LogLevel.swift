/// The severity of a log record, from `trace` to `critical`.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// Single steps, for following a program.
  case trace
  /// Details that help to find a fault.
  case debug
  /// Ordinary events.
  case info
  /// Ordinary events that should be noticed.
  case notice
  /// Events that may lead to a failure.
  case warning
  /// Failures.
  case error
  /// Failures that need a person at once.
  case critical

  /// The position in the order of severity, from zero.
  @usableFromInline var rank: UInt8 {
    switch self {
    case .trace: 0
    case .debug: 1
    case .info: 2
    case .notice: 3
    case .warning: 4
    case .error: 5
    case .critical: 6
    }
  }

  /// Whether the left level is less severe.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// The lowest accepted level, or none.
public enum LogThreshold: Hashable, Sendable {
  /// That level and the more severe ones.
  case from(LogLevel)
  /// No level.
  case off

  /// All levels.
  public static let trace = LogThreshold.from(.trace)
  /// `debug` and above.
  public static let debug = LogThreshold.from(.debug)
  /// `info` and above.
  public static let info = LogThreshold.from(.info)
  /// `notice` and above.
  public static let notice = LogThreshold.from(.notice)
  /// `warning` and above.
  public static let warning = LogThreshold.from(.warning)
  /// `error` and above.
  public static let error = LogThreshold.from(.error)
  /// `critical` alone.
  public static let critical = LogThreshold.from(.critical)

  /// The lowest accepted rank; 7, which is above all levels, for `off`.
  var rank: UInt8 {
    switch self {
    case .from(let level): level.rank
    case .off: 7
    }
  }
}

extension LogThreshold: CustomStringConvertible {
  /// The name of the level, or `off`.
  public var description: String {
    switch self {
    case .from(let level): level.rawValue
    case .off: "off"
    }
  }
}
