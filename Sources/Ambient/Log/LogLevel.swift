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
  /// What needs somebody at once.
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

extension LogLevel? {
  /// The rank from which on a log accepts; one above all for a log that accepts nothing.
  var rank: UInt8 { self?.rank ?? 7 }
}
