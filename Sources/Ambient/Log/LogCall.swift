/// A call of the façade that passed the gate.
///
/// Apart from ``Log``, whose static methods would be handed the class at each call.
@usableFromInline
enum LogCall {
  /// Logs to the log in force here.
  @usableFromInline @inline(never)
  static func submit(
    _ level: LogLevel, _ message: () -> LogMessage, _ metadata: () -> AmbientFields,
    _ source: LogSource
  ) {
    LogGate.open()
    // Borrowed, which scales with threads: whoever replaces it keeps it alive. A function with a name,
    // since a closure of this size would not be inlined: two frames cost 15 ns after a write.
    @inline(__always)
    func submit(to held: Installed<Log>) {
      held.service.submit(level, message, metadata, source)
    }
    Log.context.held._withUnsafeGuaranteedRef(submit)
  }
}
