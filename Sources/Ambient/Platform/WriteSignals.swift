internal import AmbientSystem

/// The signal handlers that let a failed write return an error instead of ending the program.
///
/// Each handler does nothing. A handler is installed once, and only if the program has set no
/// handler. SIG_IGN is not used instead, because child processes would inherit it.
package enum WriteSignals {
  /// Handles SIGPIPE, so that a write to a pipe without a reader returns an error.
  static func surviveClosedPipe() { _ = pipe }

  /// Handles SIGXFSZ, so that a write beyond the file size limit returns an error.
  package static func surviveSizeLimit() { _ = size }

  private static let pipe: Void = survive(SIGPIPE)
  private static let size: Void = survive(SIGXFSZ)

  private static func survive(_ signal: CInt) {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return }
    let doNothing: @convention(c) (CInt) -> Void = { _ in }
    #if canImport(Glibc)
      guard action.__sigaction_handler.sa_handler == nil else { return }
      action.__sigaction_handler.sa_handler = doNothing
    #elseif canImport(Musl)
      guard action.__sa_handler.sa_handler == nil else { return }
      action.__sa_handler.sa_handler = doNothing
    #else
      guard action.__sigaction_u.__sa_handler == nil else { return }
      action.__sigaction_u.__sa_handler = doNothing
    #endif
    action.sa_flags |= CInt(SA_RESTART)
    sigaction(signal, &action, nil)
  }
}
