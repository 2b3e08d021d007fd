// Unavailable methods that have the shape of other libraries' calls. The compiler's error names the
// call to write instead.

@available(
  *, unavailable,
  message:
    "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
)
extension Log {
  public static func log(
    _ level: LogLevel, _ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil
  ) {}

  public static func trace(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public static func debug(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public static func info(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public static func notice(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {
  }

  public static func warning(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}

  public static func error(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public static func critical(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}

  public final func log(
    _ level: LogLevel, _ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil
  ) {}

  public final func trace(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public final func debug(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public final func info(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public final func notice(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public final func warning(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {
  }

  public final func error(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  public final func critical(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}
}

@available(
  *, unavailable,
  message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
)
extension Log {
  public static func log(
    _ level: LogLevel, _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func trace(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func debug(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func info(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func notice(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func warning(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func error(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public static func critical(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func log(
    _ level: LogLevel, _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func trace(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func debug(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func info(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func notice(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func warning(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func error(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  public final func critical(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}
}
