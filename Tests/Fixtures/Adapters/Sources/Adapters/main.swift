import Ambient
import Logging

/// What swift-log would do with a record.
struct PrintingHandler: LogHandler {
  var metadataProvider: Logger.MetadataProvider?
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(
    level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
    file: String, function: String, line: UInt
  ) {
    print(
      "\(level) \(source) \(file) \(message) \(Logger.MetadataValue.dictionary(metadata ?? [:]))")
  }
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
}
for record in recorder.records {
  print(
    record.level, record.source.module, LogFormat.logfmt.line(record).split(separator: "msg=")[1])
}

// From Ambient to swift-log.
LoggingSystem.bootstrap { _ in PrintingHandler() }
installSwiftLog()
Log.error("order \(1)", ["total": 3, "in": ["gift": true] as AmbientFields])
