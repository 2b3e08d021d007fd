#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Which thread of the process runs.
enum ThreadID {
  /// The thread that calls, as a number that no other living thread has.
  static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}

/// Which task runs, as a number that no other living task has.
struct TaskID: Hashable, Sendable {
  private let number: Int

  static var current: TaskID? {
    withUnsafeCurrentTask { task in task.map { TaskID(number: $0.hashValue) } }
  }

  static var currentName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
