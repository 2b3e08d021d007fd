import Ambient
import AmbientCollectors

/// The options by which a command lets the user choose its services.
enum ServiceOptions {
  static let log = Option(
    "--log", .word(["none", "stdout", "stderr", "file:PATH", "otlp:URL"]),
    help: """
      Where the log goes; standard error if not said. A file is appended to; otlp is a collector \
      of OpenTelemetry, to whose address \(OTLPOptions.path) is added unless it ends so.
      """)
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
    "--analytics", .text("DESTINATION"), repeatable: true,
    help: """
      Where the events go: \(AnalyticsDestination.words.joined(separator: ", ")); nowhere if not \
      said, to each if said several times. A URL of http gets lines of JSON; one of otlp is a \
      collector of OpenTelemetry, and gets \(OTLPOptions.path) added unless it ends so; \
      one behind @ that has no path gets that of its service, \(GoogleOptions.path) or \
      \(AdobeOptions.path). What only the server may know comes from the environment: \
      \(HTTPHeaders.variable), header fields for http, one a \
      line, as X-Key: secret; \(DeliveryTarget.googleSecret), the secret of the stream; \
      \(DeliveryTarget.adobeToken), \(DeliveryTarget.adobeKey) and \
      \(DeliveryTarget.adobeOrganization), for a server; for otlp, OTEL_EXPORTER_OTLP_HEADERS.
      """)
  static let queue = Option(
    "--queue", .text("DIR"),
    help: """
      The folder where what is sent waits until its server has it. What could not be delivered is \
      delivered by the next run with the same server; the queue command shows it.
      """)

  static let all = [log, logLevel, logFormat, logRotate, analytics, queue].map(\.detail)

  /// Creates the log. If its records are sent to a server, also opens their queue.
  static func log(_ arguments: Arguments) throws -> (Log, ServerQueue?) {
    let level = try level(arguments)
    let format = LogFormat(arguments[logFormat].flatMap(LogFormat.Layout.init) ?? .text)
    let rotation = try arguments[logRotate].map { text throws(UsageError) in
      try FileRotation(argument: text, of: logRotate)
    }
    let isFile = arguments[log]?.hasPrefix("file:") == true
    if rotation != nil, !isFile {
      throw UsageError.invalidValue(
        logRotate.name, reason: "only a file is rotated; write \(log.name) file:PATH, too")
    }
    switch arguments[log] {
    case "none": return (NoLog(), nil)
    case "stdout": return (StdoutLog(level: level, format: format), nil)
    case let text? where text.hasPrefix("file:"):
      let path = String(text.dropFirst("file:".count))
      return (
        try FileLog(path: path, level: level, format: format, rotation: rotation), nil
      )
    case let text? where text.hasPrefix("otlp:"):
      let target = try DeliveryTarget(
        .otlp, String(text.dropFirst("otlp:".count)), of: log, isOfLog: true)
      return try ServerQueue.open(for: target, keptIn: arguments[queue], target.log(level))
    default: return (StderrLog(level: level, format: format), nil)
    }
  }

  private static func level(_ arguments: Arguments) throws(UsageError) -> LogLevels {
    guard let text = arguments[logLevel] else { return .environment }
    do {
      return try LogLevels(text)
    } catch {
      throw .invalidValue(logLevel.name, reason: "\(error)")
    }
  }

  /// Returns the destinations of events. Throws an error if a queue is named although neither
  /// events nor the log are sent to a server.
  static func destinations(_ arguments: Arguments) throws(UsageError) -> [AnalyticsDestination] {
    let destinations = try AnalyticsDestination.all(arguments, analytics)
    let isSent = destinations.contains { if case .sent = $0 { true } else { false } }
    let isLogSent = arguments[log]?.hasPrefix("otlp:") == true
    guard !arguments.has(queue) || isSent || isLogSent else {
      throw .invalidValue(
        queue.name,
        reason: """
          only what is sent to a server waits in a queue; name one with \(analytics.name) or \
          \(log.name), too
          """)
    }
    return destinations
  }

  /// Creates the analytics, and opens a queue for each destination that is a server.
  static func analytics(
    to destinations: [AnalyticsDestination], keptIn kept: String?
  ) throws -> (Analytics, [ServerQueue]) {
    var queues: [ServerQueue] = []
    let all = try destinations.map { destination -> Analytics in
      switch destination {
      case .none: return NoAnalytics()
      case .stdout: return StdoutAnalytics()
      case .file(let path): return try FileAnalytics(path: path)
      case .sent(let target):
        let (analytics, queue) = try ServerQueue.open(
          for: target, keptIn: kept, target.analytics())
        queues.append(queue)
        return analytics
      }
    }
    return (all.isEmpty ? NoAnalytics() : all.count == 1 ? all[0] : MultiAnalytics(all), queues)
  }
}
