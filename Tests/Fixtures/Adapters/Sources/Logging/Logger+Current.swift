/// A stand-in, as `Logger` is: from version 1.14 on, the logger of a task.
extension Logger {
  @TaskLocal private static var bound: Logger?
  private static let unbound = Logger(label: "")

  public static var current: Logger { bound ?? unbound }

  fileprivate static func with<Result>(_ logger: Logger, _ operation: () -> Result) -> Result {
    $bound.withValue(logger, operation: operation)
  }
}

public func withLogger<Result>(
  mergingMetadata metadata: @autoclosure () -> Logger.Metadata,
  _ operation: (Logger) -> Result
) -> Result {
  var logger = Logger.current
  for (key, value) in metadata() { logger[metadataKey: key] = value }
  return Logger.with(logger) { operation(logger) }
}
