/// The lowest accepted level, or `off` if no level is accepted.
public enum LogThreshold: Hashable, Sendable {
  /// The given level and the more severe levels.
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
