internal import CAmbient

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The threads of the system, those of the pool among them.
enum SystemThread {
  /// The thread that calls, as a number that no other living thread has.
  static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// Lets other threads go on for that long, or a little longer.
  static func pause(microseconds: UInt32) { usleep(microseconds) }

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
