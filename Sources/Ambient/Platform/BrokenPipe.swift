#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Keeps a reader that goes away from ending the program.
enum BrokenPipe {
  /// Makes a write to a pipe without a reader fail, where the system would end the program.
  ///
  /// Done once, and only if the program has not said itself what SIGPIPE does. The handler is
  /// empty: an ignored signal would stay ignored in the programs that this one starts.
  static func survive() { _ = installed }

  private static let installed: Void = {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
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
    sigaction(SIGPIPE, &action, nil)
  }()
}
