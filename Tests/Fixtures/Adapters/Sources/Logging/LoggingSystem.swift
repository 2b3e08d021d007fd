import Synchronization

/// A stand-in, as `Logger` is.
public enum LoggingSystem {
  private static let factory = Mutex<(@Sendable (String) -> any LogHandler)?>(nil)

  public static func bootstrap(_ factory: @escaping @Sendable (String) -> any LogHandler) {
    self.factory.withLock { $0 = factory }
  }

  static func make(_ label: String) -> any LogHandler {
    guard let make = factory.withLock({ $0 }) else { fatalError("not bootstrapped") }
    return make(label)
  }
}
