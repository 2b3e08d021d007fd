#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// The files whose lines wait in a buffer, so that the end of the program can write them.
enum LiveFiles {
  private static let all = Guarded<[ObjectIdentifier: FileWriter]>([:])

  static func add(_ writer: FileWriter) {
    _ = endsAtExit
    all.withLock { $0[ObjectIdentifier(writer)] = writer }
  }

  static func remove(_ writer: FileWriter) {
    all.withLock { $0[ObjectIdentifier(writer)] = nil }
  }

  private static let endsAtExit: Void = { atexit { LiveFiles.endAll() } }()

  private static func endAll() {
    // A fork has its parent's list, and not its parent's buffers.
    for writer in all.withLock({ Array($0.values) }) where writer.isOwn { writer.end() }
  }
}
