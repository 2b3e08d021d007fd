/// How much a log record matters, from `trace` to `critical`.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// Each step, to follow a program by.
  case trace
  /// What helps to find a fault.
  case debug
  /// What happened, in the ordinary course.
  case info
  /// What is ordinary, but should be seen.
  case notice
  /// What may become a fault.
  case warning
  /// What failed.
  case error
  /// A failure that needs a person at once.
  case critical

  /// The place in the order, from zero.
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

  /// Whether the left level matters less.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// From which level on something is logged, or that nothing is.
public enum LogThreshold: Hashable, Sendable {
  /// That level and those that matter more.
  case from(LogLevel)
  /// Nothing.
  case off

  /// Everything.
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

  /// The rank from which on records are accepted; one above all if none are.
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
