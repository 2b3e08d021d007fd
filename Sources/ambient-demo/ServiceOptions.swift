import Ambient

/// The options by which a command lets the user choose its services.
enum ServiceOptions {
  static let log = Option(
    "--log", .word(["none", "stdout", "stderr", "file:PATH"]),
    help: "Where the log goes; standard error if not said. A file is appended to.")
  static let logLevel = Option(
    "--log-level", .wordNamed("LEVEL", LogLevel.allCases.map(\.rawValue)),
    help: "The least level that is logged; what LOG_LEVEL says, or info, if not said.")
  static let logFormat = Option(
    "--log-format", .word(LogFormat.Layout.allCases.map(\.rawValue)),
    help: "How a line of the log looks; text if not said.")
  static let analytics = Option(
    "--analytics", .word(["none", "stdout", "file:PATH"]),
    help: "Where the events go, one JSON object a line; nowhere if not said.")

  static let all = [log, logLevel, logFormat, analytics]

  static func log(_ arguments: Arguments) throws(FileOpenError) -> Log {
    let levels = arguments[logLevel].flatMap(LogLevel.init).map { LogLevels($0) } ?? .environment
    let format = LogFormat(arguments[logFormat].flatMap(LogFormat.Layout.init) ?? .text)
    return switch arguments[log] {
    case "none": NoLog()
    case "stdout": StdoutLog(levels: levels, format: format)
    case let text? where text.hasPrefix("file:"):
      try FileLog(path: String(text.dropFirst("file:".count)), levels: levels, format: format)
    default: StderrLog(levels: levels, format: format)
    }
  }

  static func analytics(_ arguments: Arguments) throws(FileOpenError) -> Analytics {
    switch arguments[analytics] {
    case "stdout": StdoutAnalytics()
    case let text? where text.hasPrefix("file:"):
      try FileAnalytics(path: String(text.dropFirst("file:".count)))
    default: NoAnalytics()
    }
  }
}
