// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Test environment detection` {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    ("shop", nil, false), ("shop-xctest", nil, false), ("xctest.shop", nil, false),
    ("shop.xctest", nil, true), ("xctest", nil, true), ("swiftpm-testing-helper", nil, true),
    ("shop", "XCTestConfigurationFilePath=tests", true),
  ])
  func `only in a test run, a late Log.instance assignment's report names .isolatedAmbients`(
    name: String, setting: String?, isTesting: Bool
  ) async throws {
    let program = folder.path(name)
    try FileManager.default.createSymbolicLink(
      at: URL(filePath: program), withDestinationURL: Products.program("LineWriter"))
    let result = try await Command.run(
      ["-u", "XCTestConfigurationFilePath"] + [setting].compactMap(\.self) + [program, "late"])
    #expect(result.status == 0)
    #expect(result.output.contains("Log.instance: "))
    #expect(result.output.contains(".isolatedAmbients") == isTesting, "\(result.output)")
  }
}
