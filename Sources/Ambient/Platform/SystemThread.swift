internal import CAmbient

/// A thread that is the system's and not the pool's.
enum SystemThread {
  /// Calls `body` on a thread of its own; on this one if the system has no more.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    let isStarted = ambient_start_thread(
      // Valid: retained for this call, which takes it over.
      { context in context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() } },
      box.toOpaque())
    if !isStarted { box.takeRetainedValue().call() }
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
