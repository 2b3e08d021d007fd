import Foundation

#if os(Linux)
  /// Forks the process by `fork(2)`, which Swift does not let a program call by name.
  ///
  /// - Returns: Zero in the child, the child's number in its parent.
  package func forkProcess() -> Int32 {
    let address = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork")
    // Valid: the C library declares it so.
    return unsafeBitCast(address, to: (@convention(c) () -> Int32).self)()
  }
#endif
