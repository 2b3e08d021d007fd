internal import Foundation

/// Where dlsym(3) looks in all images that are loaded. RTLD_DEFAULT is zero on Linux and -2 on Apple's
/// systems, where zero finds nothing; Swift imports neither, since they are casts.
#if canImport(Darwin)
  private let everyImage = UInt(bitPattern: -2)
#else
  private let everyImage = UInt(0)
#endif

/// The address of that symbol in any image that is loaded; nil if none has it.
package func loadedSymbol(_ name: String) -> UnsafeMutableRawPointer? {
  dlsym(UnsafeMutableRawPointer(bitPattern: everyImage), name)
}

/// Forks the process by `fork(2)`, which Swift does not let a program call by name.
///
/// - Returns: Zero in the child, the child's number in its parent.
package func forkProcess() -> Int32 {
  // Valid: the C library declares it so.
  unsafeBitCast(loadedSymbol("fork"), to: (@convention(c) () -> Int32).self)()
}
