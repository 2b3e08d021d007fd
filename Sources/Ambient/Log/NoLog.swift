/// A log that accepts nothing.
public final class NoLog: Log, @unchecked Sendable {
  /// Makes a log that accepts nothing.
  public init() { super.init(levels: LogLevels(nil)) }
}
