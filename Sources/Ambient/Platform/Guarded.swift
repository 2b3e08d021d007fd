// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  public import CAmbient
#else
  public import Synchronization
#endif

/// A value behind a lock that avoids convoys, and that the thread sanitizer understands.
///
/// On Linux the lock is our own word on a futex (`CLock.h`). The standard library's `Mutex` has
/// three problems there. It is a priority-inheriting futex: the kernel hands the lock over at each
/// contended release, so threads that outnumber the processors wait in a convoy. Its slow path is
/// not instrumented, so the thread sanitizer reports races that do not exist. It identifies its
/// holder by a thread id, from which a forked process cannot tell that the holder is a thread of
/// its parent. A `Mutex` that is locked at the fork thus stays locked in the forked process.
///
/// Our lock has two disadvantages. Its holder does not inherit the priority of waiting threads. A
/// thread that finds the lock taken at nearly each of its calls sleeps for up to 4 ms, because
/// throughput is better if threads alternate after many calls instead of after each call
/// (`Lock.c`).
///
/// The lock is inlinable, so that other modules specialize it for their values. An unspecialized
/// lock calls its closure through a thunk, and copies the result through memory.
@usableFromInline package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  #if os(Linux)
    /// The address of the lock's word, which the value follows. It is stored as an integer, because
    /// a pointer is not `Sendable`. The memory is valid until `deinit` frees it.
    @usableFromInline let address: UInt

    @inlinable package init(_ value: consuming sending Value) {
      _ = Forks.count
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Self.offset + MemoryLayout<Value>.size, alignment: Self.alignment)
      memory.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
      (memory + Self.offset).bindMemory(to: Value.self, capacity: 1).initialize(to: value)
      address = UInt(bitPattern: memory)
    }

    @inlinable deinit {
      value.deinitialize(count: 1)
      UnsafeMutableRawPointer(word).deallocate()
    }

    /// The alignment of the memory. It is also the offset of the value, which follows the lock's
    /// word directly so that both usually share a cache line.
    @inlinable static var alignment: Int { max(8, MemoryLayout<Value>.alignment) }

    @inlinable static var offset: Int { alignment }

    /// The pointer to the lock's word. It is valid, because `init` allocates the memory, and only
    /// `deinit` frees it.
    @inlinable
    var word: UnsafeMutablePointer<UInt32> {
      UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    /// The pointer to the value. It is valid, because `init` initializes the value, and because
    /// only `deinit` and the thread that holds the lock use the pointer.
    @inlinable
    var value: UnsafeMutablePointer<Value> {
      (UnsafeMutableRawPointer(word) + Self.offset).assumingMemoryBound(to: Value.self)
    }

    /// Calls `body` with the value while this thread holds the lock; `body` must not run user code.
    ///
    /// In a fork, a lock held by a thread of the parent counts as free; the value is as that thread
    /// left it.
    @inlinable
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      ambient_lock_take(word)
      defer { ambient_lock_give_back(word) }
      return try body(&value.pointee)
    }
  #else
    @usableFromInline let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the value while this thread holds the lock; `body` must not run user code.
    @inlinable
    package func withLock<R, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      try mutex.withLock(body)
    }
  #endif
}
