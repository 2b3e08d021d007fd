// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// Buffers that a thread reuses from one record or event to the next; no other thread uses them.
final class ThreadMemory {
  /// The text of the second in which this thread's last timestamp lies.
  private var latest = SecondText(.distantPast, ahead: 0)
  /// Memory for the next message; empty while a message uses it.
  private var spare: [UInt8] = []
  /// Memory for the next fields. There are two buffers, because the fields of a call are in use at
  /// the same time as the fields of a provider, of a message's names or of a single value.
  private var fieldSpares: ([UInt8], [UInt8]) = ([], [])

  /// The maximum size of a buffer that is kept. Larger buffers are freed. Otherwise, one long line
  /// would occupy its memory until the thread ends.
  private static let sparedBytes = 4_096

  /// The key whose destructor frees the memory at the thread's end; nil if the system has no more
  /// keys.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      ambient_kept_store(nil)
      let pointer: UnsafeMutableRawPointer? = pointer
      // Valid: `make` retained the memory for this thread, which ends now.
      pointer.map { Unmanaged<ThreadMemory>.fromOpaque($0).release() }
    }
    return status == 0 ? key : nil
  }()

  /// Calls `body` with this thread's memory, without a retain.
  @inline(__always)
  static func withCurrent<R>(_ body: (ThreadMemory) -> R) -> R {
    guard let pointer = ambient_kept_load() else { return body(make()) }
    // Valid: `make` retained the memory for this thread before it stored the pointer.
    return Unmanaged<ThreadMemory>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
  }

  /// The text of the date's second, on a clock that is `ahead` seconds ahead of UTC.
  @inline(__always)
  func second(of date: Date, ahead: Int) -> SecondText {
    if !latest.holds(date, ahead: ahead) { latest = SecondText(date, ahead: ahead) }
    return latest
  }

  /// Takes the spare memory for a message, or makes a new buffer of the usual size.
  @inline(__always)
  func takeSpare() -> [UInt8] {
    var memory: [UInt8] = []
    swap(&memory, &spare)
    return memory.isEmpty ? Self.newMemory() : memory
  }

  /// Keeps a message's memory for the thread's next message.
  @inline(__always)
  static func keep(_ memory: consuming [UInt8]) {
    guard memory.count <= sparedBytes else { return }
    withCurrent { $0.spare = memory }
  }

  /// Takes spare memory for fields, or makes a new buffer.
  @inline(__always)
  func takeFieldSpare() -> [UInt8] {
    var memory: [UInt8] = []
    swap(&memory, &fieldSpares.0)
    if memory.isEmpty { swap(&memory, &fieldSpares.1) }
    return memory.isEmpty ? Self.newMemory() : memory
  }

  /// Keeps the memory of a list of fields, so that this thread reuses the memory for a later list.
  /// Memory of more than `sparedBytes` is not kept.
  @inline(__always)
  static func keep(fields memory: consuming [UInt8]) {
    guard memory.count <= sparedBytes else { return }
    withCurrent { current in
      if current.fieldSpares.0.isEmpty {
        current.fieldSpares.0 = memory
      } else {
        current.fieldSpares.1 = memory
      }
    }
  }

  @inline(never)
  private static func newMemory() -> [UInt8] { [UInt8](repeating: 0, count: 512) }

  /// Returns the memory that `key` holds for the thread, or makes it and stores it under `key`. If
  /// `key` is nil, the memory is not stored, since no destructor would free it.
  @inline(never)
  private static func make() -> ThreadMemory {
    // Some systems free thread-local variables before they call the destructors of keys, so the key
    // may still hold the memory when the variable is already empty.
    if let key, let kept = pthread_getspecific(key) {
      ambient_kept_store(kept)
      // Valid: `make` retained the memory for this thread when it stored the memory under `key`.
      return Unmanaged<ThreadMemory>.fromOpaque(kept).takeUnretainedValue()
    }
    let made = ThreadMemory()
    guard let key else { return made }
    let retained = Unmanaged.passRetained(made)
    if pthread_setspecific(key, retained.toOpaque()) == 0 {
      ambient_kept_store(retained.toOpaque())
    } else {
      retained.release()
    }
    return made
  }
}

extension LineBuffer {
  /// Appends the instant in ISO 8601, in UTC, to the millisecond.
  ///
  /// The thread formats each second once, and reuses its text.
  @inline(__always)
  mutating func append(present date: Date) {
    guard ISO8601Writer.canShow(date) else { return append(date: date) }
    append(capacity: ISO8601Writer.capacity) { bytes in
      ThreadMemory.withCurrent {
        $0.second(of: date, ahead: 0).write(date, fractionDigits: 3, to: bytes)
      }
      bytes[23] = UInt8(ascii: "Z")
      return 24
    }
  }
}
