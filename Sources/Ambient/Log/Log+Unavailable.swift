// Unavailable methods that have the shape of other libraries' calls. The compiler's error names the
// call to write instead.

extension Log {
  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func log(
    _ level: LogLevel, _ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func log(
    _ level: LogLevel, _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func trace(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func trace(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func debug(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func debug(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func info(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func info(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func notice(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {
  }

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func notice(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func warning(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func warning(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func error(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func error(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public static func critical(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public static func critical(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func log(
    _ level: LogLevel, _ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func log(
    _ level: LogLevel, _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func trace(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func trace(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func debug(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func debug(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func info(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func info(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func notice(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func notice(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func warning(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {
  }

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func warning(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func error(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil) {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func error(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}

  @available(
    *, unavailable,
    message:
      "write .error(e), AmbientValue(describing: x), AmbientFields(dictionary); error: e stands last"
  )
  public final func critical(_ message: LogMessage, _ metadata: Any?..., error: (any Error)? = nil)
  {}

  @available(
    *, unavailable, message: "a message is a literal: write \"\\(text)\", or LogMessage(text)"
  )
  public final func critical(
    _ message: String, _ metadata: AmbientFields = [:], error: (any Error)? = nil
  ) {}
}

extension Log {
  /// The levels of the log.
  @available(*, unavailable, renamed: "level")
  public final var levels: LogLevels { level }

  /// Creates a log with these levels.
  @available(*, unavailable, renamed: "init(level:)")
  public convenience init(levels: LogLevels) { self.init(level: levels) }
}

extension LogLevels {
  /// The threshold of modules that have no threshold of their own.
  @available(*, unavailable, renamed: "general")
  public var level: LogThreshold { general }
}

extension StdoutLog {
  /// Creates a log with these levels.
  @available(*, unavailable, renamed: "init(level:format:)")
  public convenience init(levels: LogLevels, format: LogFormat = .text) {
    self.init(level: levels, format: format)
  }

  /// Creates a log that opens the pipe a second time.
  @available(*, unavailable, renamed: "reopeningPipe(level:format:)")
  public static func reopeningPipe(levels: LogLevels, format: LogFormat = .text) -> StdoutLog {
    reopeningPipe(level: levels, format: format)
  }
}

extension StderrLog {
  /// Creates a log with these levels.
  @available(*, unavailable, renamed: "init(level:format:)")
  public convenience init(levels: LogLevels, format: LogFormat = .text) {
    self.init(level: levels, format: format)
  }

  /// Creates a log that opens the pipe a second time.
  @available(*, unavailable, renamed: "reopeningPipe(level:format:)")
  public static func reopeningPipe(levels: LogLevels, format: LogFormat = .text) -> StderrLog {
    reopeningPipe(level: levels, format: format)
  }
}

extension FileLog {
  /// Opens the file for appending.
  @available(*, unavailable, renamed: "init(path:level:format:rotation:file:)")
  public convenience init(
    path: String, levels: LogLevels, format: LogFormat = .text, rotation: FileRotation? = nil,
    file: FileOptions = FileOptions()
  ) throws(FileOpenError) {
    try self.init(path: path, level: levels, format: format, rotation: rotation, file: file)
  }
}
