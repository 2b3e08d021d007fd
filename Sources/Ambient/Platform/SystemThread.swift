// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient
internal import Dispatch

/// The system's threads, including those of the concurrency pool.
package enum SystemThread {
  /// The calling thread, as a number that is unique among living threads.
  package static var current: UInt { ambient_current_thread() }

  /// The process identifier.
  package static var process: Int { Int(getpid()) }

  /// Calls `body` on a new thread, or on this thread if the system cannot start one.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    if !startIfPossible(body) { body() }
  }

  /// Calls `body` on a new thread. Returns false if the system cannot start one.
  package static func startIfPossible(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Body(body))
    let isStarted = ambient_start_thread(
      // The context is valid: `passRetained` retains it above, and the new thread releases it.
      { context in context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() } },
      box.toOpaque())
    if !isStarted { box.release() }
    return isStarted
  }

  /// Calls `body` on a new thread, and waits for its end, but at most for `limit` of real time.
  ///
  /// - Returns: Whether `body` has returned; nil if the system cannot start a thread, and `body`
  ///   was not called.
  static func run(atMost limit: Duration, _ body: @escaping @Sendable () -> Void) -> Bool? {
    let done = DispatchSemaphore(value: 0)
    guard
      startIfPossible({
        body()
        done.signal()
      })
    else { return nil }
    return done.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .success
  }

  /// Blocks the calling thread for `duration` of real time, even if signals arrive.
  package static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var rest = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
  }

  /// Calls `isDone` each millisecond until it returns true, or until `limit` of real time is over
  /// and `isDone` was called `tries` times. Returns whether it returned true.
  @discardableResult
  package static func wait<Failure: Error>(
    atMost limit: Duration, tries: Int = 1, until isDone: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let end = SystemClock.monotonic().plus(limit)
    var count = 1
    while try !isDone() {
      if count >= tries, SystemClock.monotonic() >= end { return false }
      count += 1
      sleep(.milliseconds(1))
    }
    return true
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
