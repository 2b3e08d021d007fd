// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// The environment variables of the process, and whether they may be trusted.
package enum Environment {
  /// Whether the program has more rights than its caller, as a setuid program has.
  ///
  /// The environment of such a program is ignored, because its caller set it, and could choose log
  /// levels, files, and the programs to start.
  package static var isPrivileged: Bool { ambient_is_privileged() }

  static func value(_ name: String) -> String? {
    isPrivileged ? nil : getenv(name).map { String(cString: $0) }
  }

  /// Whether the process runs tests of Swift Testing or XCTest: as a test bundle, or as the helper
  /// that loads one.
  static var isTesting: Bool {
    let program = CommandLine.arguments.first ?? ""
    return program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
      || program.hasSuffix("swiftpm-testing-helper")
      || value("XCTestConfigurationFilePath") != nil
  }
}
