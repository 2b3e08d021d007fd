#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a thread keeps from one call of a log to the next. Nobody but the thread uses it.
final class LogThread {
  /// Memory for the next message; empty while a message uses it.
  private var spare: [UInt8] = []

  /// What is kept beyond this would be held for ever by a thread that once logged a long line.
  private static let sparedBytes = 4_096

  /// Nil if the system has no room for one more kind of what threads keep.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      // Valid: it is what `current` retained for this thread, which ends now.
      pointer.map { Unmanaged<LogThread>.fromOpaque($0).release() }
    }
    return status == 0 ? key : nil
  }()

  /// Calls `body` with this thread's, without counting a reference to it.
  @inline(__always)
  static func withCurrent<R>(_ body: (LogThread?) -> R) -> R {
    guard let key else { return body(nil) }
    guard let pointer = pthread_getspecific(key) else { return body(make(key)) }
    // Valid: it was retained for the thread when it was set.
    return Unmanaged<LogThread>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
  }

  /// The memory to spare, or a new piece of the size that a message usually needs.
  func takeSpare() -> [UInt8] {
    var memory: [UInt8] = []
    swap(&memory, &spare)
    if memory.capacity < 256 { memory.reserveCapacity(512) }
    return memory
  }

  /// Keeps the memory of a message for the next one.
  func keep(_ memory: consuming [UInt8]) {
    guard memory.capacity <= Self.sparedBytes else { return }
    memory.removeAll(keepingCapacity: true)
    spare = memory
  }

  @inline(never)
  private static func make(_ key: pthread_key_t) -> LogThread? {
    let made = LogThread()
    let retained = Unmanaged.passRetained(made)
    guard pthread_setspecific(key, retained.toOpaque()) == 0 else {
      retained.release()
      return nil
    }
    return made
  }
}
