package import Foundation

/// A limit of this process, set by `setrlimit(2)`.
package enum ResourceLimit {
  case fileSize
  case openFiles

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
      self == .fileSize
        ? __rlimit_resource_t(RLIMIT_FSIZE.rawValue) : __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }
  #else
    private var number: Int32 { self == .fileSize ? RLIMIT_FSIZE : RLIMIT_NOFILE }
  #endif
}
