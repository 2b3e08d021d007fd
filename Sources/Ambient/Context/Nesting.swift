internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How deep a thread is in calls of a service that come from within calls of that service.
///
/// A description may log, and so may a handler. One that logs what it describes would never end.
final class Nesting: Sendable {
  static let limit = 8

  private let source: String
  /// The depth of each thread; nil if the system has no place for one more.
  private let key: pthread_key_t?
  private let dropped = Atomic<Int>(0)
  private let isReported = Atomic<Bool>(false)

  /// The nesting of one kind of service, for as long as the process lives.
  init(source: String) {
    self.source = source
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  /// How many calls were dropped because they were too deep.
  var droppedCalls: Int { dropped.load(ordering: .relaxed) }

  /// Calls `body`, unless this thread is too deep already.
  @inline(__always)
  func descend(_ body: () -> Void) {
    guard let key else { return body() }
    let depth = UInt(bitPattern: pthread_getspecific(key))
    guard depth < Self.limit else { return drop() }
    // The value is a number, never used as an address.
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth + 1))
    body()
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth))
  }

  @inline(never)
  private func drop() {
    dropped.add(1, ordering: .relaxed)
    guard !isReported.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.report(
      Diagnostic(
        .recursion, source: source,
        """
        a call was dropped: it came from within another one, \(Self.limit) deep. \
        Look for a description or a handler that calls what called it.
        """))
  }
}
