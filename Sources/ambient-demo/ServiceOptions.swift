// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors

/// The options by which a command lets the user choose its services.
enum ServiceOptions {
  static let log = Option(
    "--log", .word(["none", "stdout", "stderr", "file:PATH", "otlp:URL"]), default: "stderr",
    help: """
      Where the log goes. A file is appended to. The URL of otlp is the address of an \
      OpenTelemetry collector; \(OTLPOptions.path) is added unless the URL ends with it.
      """)
  static let logLevel = Option(
    "--log-level", .text("LEVELS"), default: "LOG_LEVEL, or info",
    help: """
      The lowest level to log, such as info or info,Checkout=debug. The levels are \
      \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")), off.
      """)
  static let logFormat = Option(
    "--log-format", .word(LogFormat.Layout.allCases.map(\.rawValue)), default: "text",
    help: "The format of a line of the log.")
  static let logRotate = Option(
    "--log-rotate", .text("WHEN[:KEEP]"), default: "never",
    help: """
      When to rotate the log's file: daily, hourly, or at a size such as 10MB, 64KB or 1000000. \
      KEEP is the number of archives to keep, as in daily:14; without it, all are kept.
      """)
  static let analytics = Option(
    "--analytics", .text("DESTINATION"), repeatable: true, default: "none",
    help: """
      Where the events go: \(AnalyticsDestination.words.joined(separator: ", ")). Repeat the option \
      for each destination. http sends lines of JSON; otlp sends to an OpenTelemetry \
      collector, and adds \(OTLPOptions.path) unless the URL ends with it; a URL after @ without a path \
      gets the path of its service, \(GoogleOptions.path) or \(AdobeOptions.path). Secrets come \
      from the environment: \(HTTPHeaders.variable) (header fields for http, one per line, such as \
      X-Key: secret), \(DeliveryTarget.googleSecret) (the secret of the stream), \
      \(DeliveryTarget.adobeToken), \(DeliveryTarget.adobeKey) and \
      \(DeliveryTarget.adobeOrganization) (all three for an adobe datastream that requires a login) and \
      OTEL_EXPORTER_OTLP_HEADERS (header fields for otlp).
      """)
  static let queue = Option(
    "--queue", .text("DIR"), default: "a temporary folder",
    help: """
      The folder in which events and records wait until their server has accepted them. The next \
      run with the same server sends the rest. The queue command shows them.
      """)

  static let all = [log, logLevel, logFormat, logRotate, analytics, queue].map(\.detail)

  /// Creates the log. If its records are sent to a server, also opens their queue.
  static func log(_ arguments: Arguments) throws -> (Log, ServerQueue?) {
    let level = try level(arguments)
    let format = LogFormat(arguments[logFormat].flatMap(LogFormat.Layout.init) ?? .text)
    let rotation = try arguments[logRotate].map { text throws(UsageError) in
      try FileRotation(argument: text, of: logRotate)
    }
    let isFile = arguments[log]?.rest(after: "file:") != nil
    if rotation != nil, !isFile {
      throw UsageError.invalidValue(
        logRotate.name, reason: "only a file can be rotated; add \(log.name) file:PATH")
    }
    let word = arguments[log]
    if let path = word?.rest(after: "file:") {
      return (try FileLog(path: path, level: level, format: format, rotation: rotation), nil)
    }
    if let address = word?.rest(after: "otlp:") {
      let target = try DeliveryTarget(.otlp, address, of: log, isOfLog: true)
      return try ServerQueue.open(for: target, keptIn: arguments[queue], target.log(level))
    }
    switch word {
    case "none": return (NoLog(), nil)
    case "stdout": return (StdoutLog(level: level, format: format), nil)
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
    let isLogSent = arguments[log]?.rest(after: "otlp:") != nil
    guard !arguments.has(queue) || isSent || isLogSent else {
      throw .invalidValue(
        queue.name,
        reason: """
          only events and records for a server wait in a queue; add a server with \
          \(analytics.name) or \(log.name)
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
