// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Time command` {
  private let demo = Demo()

  @Test func `the time command's output matches its golden file and leaves no files behind`()
    async throws
  {
    let temporary = TemporaryFolder()
    let outcome = try await demo(line: "time", environment: ["TMPDIR": temporary.path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    // After an intended change: swift run ambient-demo time > Tests/DemoTests/Fixtures/time.txt
    #expect(outcome.output == (try fixture("time")))
    for folder in [temporary.path, demo.folder.path] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test(arguments: [60, 80])
  func `the time command's output fits the given width`(width: Int) async throws {
    let outcome = try await demo(line: "time", environment: ["COLUMNS": "\(width)"])
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }
}
