#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// Keeps a write that fails from ending the program.
///
/// Done once, and only if the program has not said itself what the signal does. The handler is
/// empty: an ignored signal would stay ignored in the programs that this one starts.
enum FailedWrite {
  /// Makes a write to a pipe without a reader fail, where the system would end the program.
  static func surviveClosedPipe() { _ = pipe }

  /// Makes a write beyond the largest file that is allowed fail, where the system would end the
  /// program.
  static func surviveSizeLimit() { _ = size }

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
