#if os(Linux)
  internal import CAmbient
#else
  internal import Synchronization
#endif

/// A value behind a lock that neither convoys on a busy machine nor misleads the thread sanitizer.
///
/// On Linux the lock is a word of our own on a futex (`CLock.h`). The standard library's `Mutex`
/// is a priority-inheriting futex there: each contended release is handed over by the kernel, so
/// threads that outnumber the processors wait in a convoy; the sanitizer does not see its slow
/// path, which is not instrumented, and reports races that are none; and it knows its owner by a
/// number that a fork's thread has from its parent. The price: a thread that holds the lock does
/// not inherit the priority of those that wait.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  #if os(Linux)
    /// Where the word of the lock stands, and the value behind it. A number, since a pointer is not
    /// `Sendable`: valid until `deinit`, which frees it.
    private let address: UInt

    package init(_ value: consuming sending Value) {
      _ = Forks.count
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Self.offset + MemoryLayout<Value>.size, alignment: Self.alignment)
      memory.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
      (memory + Self.offset).bindMemory(to: Value.self, capacity: 1).initialize(to: value)
      address = UInt(bitPattern: memory)
    }

    deinit {
      value.deinitialize(count: 1)
      UnsafeMutableRawPointer(word).deallocate()
    }

    /// A lock and what it guards share a cache line, where they fit into one.
    private static var alignment: Int { max(8, MemoryLayout<Value>.alignment) }

    private static var offset: Int { alignment }

    /// Valid: allocated in `init`, and freed in `deinit`.
    @inline(__always)
    private var word: UnsafeMutablePointer<UInt32> {
      UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Valid: initialized in `init`; touched only by the thread that has the lock.
    @inline(__always)
    private var value: UnsafeMutablePointer<Value> {
      (UnsafeMutableRawPointer(word) + Self.offset).assumingMemoryBound(to: Value.self)
    }

    /// Calls `body` with the value while no other thread has it; `body` must not run user code.
    ///
    /// In a fork of the process, a lock held by a thread of the parent counts as free; the value is
    /// as that thread left it.
    @inline(__always)
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      ambient_lock_take(word)
      defer { ambient_lock_give_back(word) }
      return try body(&value.pointee)
    }
  #else
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the value while no other thread has it; `body` must not run user code.
    @inline(__always)
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      try mutex.withLock(body)
    }
  #endif
}
