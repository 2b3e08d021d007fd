// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation

/// A limit of this process, set by `setrlimit(2)`.
package enum ResourceLimit {
  case fileSize
  case openFiles
  /// The threads of this user on Linux; its processes elsewhere.
  case threads

  #if os(Linux)
    /// Lets this process start no more threads, and ends it after five minutes, in case one of its
    /// jobs then waits for a thread. Root may start any number, so that it goes on as nobody.
    ///
    /// The pool's threads all start before: libdispatch tries for ever to start one for a job.
    package static func forbidThreads() async {
      endIfHanging()
      await startPool()
      let isNobody = getuid() != 0 || setgid(65_534) == 0 && setuid(65_534) == 0
      precondition(isNobody && ResourceLimit.threads.set(0), "the system does not forbid threads")
    }

    /// Blocks each thread of the pool until all of them run. A thread without a job stays 5 s.
    private static func startPool() async {
      let (started, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let width = ProcessInfo.processInfo.activeProcessorCount
      @Sendable func block() {
        started.signal()
        end.wait()
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          for _ in 0..<width { Task.detached { block() } }
          for _ in 0..<width { started.wait() }
          for _ in 0..<width { end.signal() }
          continuation.resume()
        }
      }
    }
  #endif

  /// Sets the soft limit to `value` and the hard limit to `most`, or to `value`, too, if `most` is
  /// nil; returns whether the system did so.
  @discardableResult
  package func set(_ value: rlim_t, most: rlim_t? = nil) -> Bool {
    var limit = rlimit(rlim_cur: value, rlim_max: most ?? value)
    return setrlimit(number, &limit) == 0
  }

  // Glibc has its own type for the numbers of the limits; other C libraries use plain integers.
  #if canImport(Glibc)
    private var number: __rlimit_resource_t {
      switch self {
      case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      case .threads: __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
      }
    }
  #else
    private var number: Int32 {
      switch self {
      case .fileSize: RLIMIT_FSIZE
      case .openFiles: RLIMIT_NOFILE
      case .threads: RLIMIT_NPROC
      }
    }
  #endif
}
