import Ambient
import Foundation
import Logging

/// What swift-log would do with a record.
struct PrintingHandler: LogHandler {
  var metadataProvider: Logger.MetadataProvider?
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    print(
      "\(event.level) \(event.source) \(event.file) \(event.message) "
        + "\(Logger.MetadataValue.dictionary(event.metadata ?? [:]))")
  }
}

/// What a package of attributes declares.
enum Sensitivity: Int64, Logger.MetadataValueAttributes.Attribute {
  case sensitive = 1
}

struct Refused: Error, CustomStringConvertible {
  var description: String { "refused by the bank" }
}

// From swift-log to Ambient.
bootstrapAmbient()
let recorder = LogRecorder(level: .debug)
Log.withInstance(recorder) {
  var logger = Logger(label: "nio")
  logger[metadataKey: "peer"] = "10.0.0.1"
  Log.withMetadata(["request": 7]) {
    logger.log(
      level: .warning, "slow \(3)", metadata: ["list": .array(["a", .stringConvertible(1)])])
  }
  logger.log(level: .trace, "not accepted")
  logger.log(
    level: .error, "failed", error: Refused(),
    metadata: [
      "user": .attributed("ada@example.org", attributes: [Sensitivity.sensitive]),
      "count": .stringConvertible(42), "ratio": .stringConvertible(0.5), "text": "42",
      "list": .array([.attributed(7, attributes: [Sensitivity.sensitive]), "open"]),
    ], source: "Bank")
  withLogger(mergingMetadata: ["order": "A-1"]) { _ in
    Logger.current.log(level: .info, "of the task")
  }
}
for record in recorder.records {
  print(
    record.level, record.source.module, LogFormat.logfmt.line(record).split(separator: "msg=")[1])
}

// From Ambient to swift-log.
LoggingSystem.bootstrap { _ in PrintingHandler() }
installSwiftLog()
Log.instance.level = .debug
Log.error("order \(1)", ["total": 3, "in": ["gift": true] as AmbientFields])
Log.debug("accepted by Ambient", ["big": UInt64.max])
Log.info(
  "a\nforged \u{1B}[31m \u{202E}line", ["n\n": "x\ny", "no": Date(timeIntervalSince1970: .nan)])
