/// A stand-in, as `Logger` is.
public protocol LogHandler: Sendable {
  var metadataProvider: Logger.MetadataProvider? { get set }
  var metadata: Logger.Metadata { get set }
  var logLevel: Logger.Level { get set }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? { get set }

  func log(event: LogEvent)
}
