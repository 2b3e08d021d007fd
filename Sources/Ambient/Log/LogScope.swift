/// What is added to each record that is logged in a place.
final class LogScope: Sendable {
  static let context = AmbientContext<LogScope>(
    "Log.scope", defaultIsMistake: false, default: { LogScope() })

  let metadata: AmbientFields
  let provider: (@Sendable () -> AmbientFields)?

  init(metadata: AmbientFields = [:], provider: (@Sendable () -> AmbientFields)? = nil) {
    self.metadata = metadata
    self.provider = provider
  }

  static var current: LogScope { context.assigned ?? LogScope() }

  /// The metadata of a record: the scope's, then the provider's, then the call's, which wins.
  @inline(__always)
  static func complete(_ metadata: AmbientFields) -> AmbientFields {
    guard let scope = context.assigned else { return metadata }
    var all = scope.metadata
    if let provided = scope.provider?() { all = all.merging(provided) }
    return metadata.isEmpty ? all : all.merging(metadata)
  }
}
