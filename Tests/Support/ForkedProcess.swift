// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The value of RTLD_DEFAULT, with which dlsym(3) searches all loaded images: zero on Linux, and -2
/// on Apple's systems, where zero finds nothing. Swift does not import the macro, because it is a
/// cast.
#if canImport(Darwin)
  private let everyImage = UInt(bitPattern: -2)
#else
  private let everyImage = UInt(0)
#endif

/// The address of the symbol in any loaded image; nil if no image defines it.
package func loadedSymbol(_ name: String) -> UnsafeMutableRawPointer? {
  dlsym(UnsafeMutableRawPointer(bitPattern: everyImage), name)
}

/// Ends this process by SIGALRM after a number of seconds, in case it hangs. Called in forks, exit
/// tests and programs of tests. The threads of a pool, and so the forks that they make, block the
/// signal.
package func endIfHanging(after seconds: UInt32 = 300) {
  var alarms = sigset_t()
  sigemptyset(&alarms)
  sigaddset(&alarms, SIGALRM)
  pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
  alarm(seconds)
}

/// Forks the process. `fork(2)` is looked up by its symbol, because Swift forbids a call by name.
///
/// - Returns: Zero in the child, and the process ID of the child in its parent.
package func forkProcess() -> Int32 {
  // Valid: the C library declares `fork` with this type.
  unsafeBitCast(loadedSymbol("fork"), to: (@convention(c) () -> Int32).self)()
}

/// The exit status with which a fork ends that runs the body; the negated number of the signal if a
/// signal ends it; -1 if there can be no fork.
package func statusOfFork(_ body: () -> Int32) -> Int32 {
  let child = forkProcess()
  if child == 0 {
    endIfHanging()
    _exit(body())
  }
  var status: Int32 = 0
  guard child > 0, waitpid(child, &status, 0) == child else { return -1 }
  return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
}
