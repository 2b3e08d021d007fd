import Ambient

/// The options by which a command lets the user choose its services.
enum ServiceOptions {
  static let log = Option(
    "--log", .word(["none", "stdout", "stderr", "file:PATH"]),
    help: "Where the log goes; standard error if not said. A file is appended to.")
  static let logLevel = Option(
    "--log-level", .text("LEVELS"),
    help: """
      The least level that is logged, as info or info,Checkout=debug; what LOG_LEVEL says, or \
      info, if not said. One of \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")), off.
      """)
  static let logFormat = Option(
    "--log-format", .word(LogFormat.Layout.allCases.map(\.rawValue)),
    help: "How a line of the log looks; text if not said.")
  static let logRotate = Option(
    "--log-rotate", .text("WHEN[:KEEP]"),
    help: """
      When the log's file is put away under another name: daily, hourly, or at a size as 10MB, \
      64KB or 1000000; and how many of those are kept, as daily:14; all if not said.
      """)
  static let analytics = Option(
    "--analytics", .word(["none", "stdout", "file:PATH"]),
    help: "Where the events go, one JSON object a line; nowhere if not said.")

  static let all = [log, logLevel, logFormat, logRotate, analytics]

  static func log(_ arguments: Arguments) throws -> Log {
    let levels = try levels(arguments)
    let format = LogFormat(arguments[logFormat].flatMap(LogFormat.Layout.init) ?? .text)
    let rotation = try arguments[logRotate].map { text throws(UsageError) in
      try FileRotation(argument: text, of: logRotate)
    }
    let isFile = arguments[log]?.hasPrefix("file:") == true
    if rotation != nil, !isFile {
      throw UsageError.invalidValue(
        logRotate.name, reason: "only a file is rotated; write \(log.name) file:PATH, too")
    }
    return switch arguments[log] {
    case "none": NoLog()
    case "stdout": StdoutLog(levels: levels, format: format)
    case let text? where text.hasPrefix("file:"):
      try FileLog(
        path: String(text.dropFirst("file:".count)), levels: levels, format: format,
        rotation: rotation)
    default: StderrLog(levels: levels, format: format)
    }
  }

  private static func levels(_ arguments: Arguments) throws(UsageError) -> LogLevels {
    guard let text = arguments[logLevel] else { return .environment }
    do {
      return try LogLevels(text)
    } catch {
      throw .invalidValue(logLevel.name, reason: "\(error)")
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

/// The services of one run: the place where the program chooses them, and the only one.
///
/// Everything below reaches them through `Time`, `Log` and `Analytics`, and knows no subclass.
struct Services: Sendable {
  var time: Time
  var log: Log
  var analytics: Analytics

  /// Makes them the process's services; time first, since the others are stamped with it.
  func install() {
    Time.instance = time
    Log.instance = log
    Analytics.instance = analytics
  }
}
