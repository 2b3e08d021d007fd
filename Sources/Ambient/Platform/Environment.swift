internal import CAmbient

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// What the process was told when it was started.
package enum Environment {
  /// Whether the program has more rights than its caller, as a setuid one. The environment is the
  /// caller's, who would decide what is logged, where to, and which programs start: nothing of
  /// it is heeded then.
  package static var isPrivileged: Bool { ambient_is_privileged() }

  static func value(_ name: String) -> String? {
    isPrivileged ? nil : getenv(name).map { String(cString: $0) }
  }

  /// Whether the process runs tests, of Swift Testing or XCTest: a bundle of tests, or the helper
  /// that loads one.
  static var isTesting: Bool {
    let program = CommandLine.arguments.first ?? ""
    return program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
      || program.hasSuffix("swiftpm-testing-helper")
      || value("XCTestConfigurationFilePath") != nil
  }
}
