internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How deep a thread is in calls of logs that come from within calls of logs.
///
/// A description may log, and so may a handler. One that logs what it describes would never end.
enum LogNesting {
  static let limit = 8

  /// The depth of each thread; nil if the system has no place for one more.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  private static let dropped = Atomic<Int>(0)
  private static let isReported = Atomic<Bool>(false)

  /// How many records were dropped because they were too deep.
  static var droppedRecords: Int { dropped.load(ordering: .relaxed) }

  /// Calls `body`, unless this thread is too deep already.
  @inline(__always)
  static func descend(_ body: () -> Void) {
    guard let key else { return body() }
    let depth = UInt(bitPattern: pthread_getspecific(key))
    guard depth < limit else { return drop() }
    // The value is a number, never used as an address.
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth + 1))
    body()
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth))
  }

  @inline(never)
  private static func drop() {
    dropped.add(1, ordering: .relaxed)
    guard !isReported.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.report(
      Diagnostic(
        .recursion, source: "Log",
        """
        a record was dropped: it was logged while making or writing another one, \(limit) deep. \
        Look for a description or a handler that logs itself.
        """))
  }
}
