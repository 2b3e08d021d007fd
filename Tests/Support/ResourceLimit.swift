package import Foundation

/// A limit of this process, set by `setrlimit(2)`.
package enum ResourceLimit {
  case fileSize
  case openFiles
  /// The threads of this user on Linux; its processes elsewhere.
  case threads

  #if os(Linux)
    /// Lets this process start no more threads; whether the system did so. Root may start any number,
    /// so that it goes on as nobody.
    package static func forbidThreads() -> Bool {
      let isNobody = getuid() != 0 || setgid(65_534) == 0 && setuid(65_534) == 0
      return isNobody && ResourceLimit.threads.set(0)
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
