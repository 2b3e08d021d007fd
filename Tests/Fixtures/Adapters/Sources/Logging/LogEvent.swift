/// A stand-in, as `Logger` is: from version 1.12 on, what a handler is handed.
public struct LogEvent: Sendable {
  public var level: Logger.Level
  public var message: Logger.Message
  public var error: (any Error)?
  public var metadata: Logger.Metadata?
  public var source: String
  public var file: String
  public var function: String
  public var line: UInt
}
