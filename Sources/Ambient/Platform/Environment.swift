#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the process was told when it was started.
enum Environment {
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
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
