// SPDX-License-Identifier: Apache-2.0

/// The severity of a log record, from `trace` to `critical`.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// Single steps of a program, for tracing its execution.
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
  /// Failures that need a person's attention at once.
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

  /// The name as a literal, whose bytes need no copy.
  var literal: StaticString {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    case .critical: "critical"
    }
  }

  /// Whether the left level is less severe.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
