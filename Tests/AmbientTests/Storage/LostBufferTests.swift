// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// The buffer's file goes away while its log is in use: by a cleaner of temporary files, or with its
/// folder.
@Suite struct `Removed log buffers` {
  private let folder = TemporaryFolder()

  /// What a program reports that loses its buffers' folder, and is killed with a line in the buffer.
  private func reports(_ words: String...) async throws -> String {
    let buffers = folder.path("buffers")
    let result = try await Command.run(
      [
        try Products.program("LineWriter").path, folder.path("shop.log"), folder.path("progress"),
        "w",
        "1", "0", "removed", "buffers:\(buffers)",
      ] + words)
    #expect([-SIGKILL, 128 + SIGKILL].contains(result.status), "\(result.output)")
    // None if the log's thread has written the line before the kill.
    #expect(try FileLog.recover(path: folder.path("shop.log"), bufferFolder: buffers) <= 1)
    let found = try folder.loggedNumbers().joined().filter { $0.hasPrefix("w.1.") }
    #expect(Set(found).count == found.count && found.contains("w.1.101"))
    #expect(found.count == (words.isEmpty ? 81 : 101))
    return result.output
  }

  private func count(_ words: String, in text: String) -> Int {
    text.components(separatedBy: words).count - 1
  }

  @Test func `a log replaces its removed buffer file, and later lines survive a kill`() async throws
  {
    let output = try await reports()
    // The report has the path of the buffer.
    #expect(count(".buffer”", in: output) == 1, "\(output)")
  }

  @Test
  func `a log that can't replace its removed buffer file reports this once and retries later`()
    async throws
  {
    try FileManager.default.createDirectory(
      atPath: folder.path("place"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("buffers"), withDestinationPath: folder.path("place"))
    let output = try await reports("blocked")
    // Only the report that the buffer cannot be replaced has advice.
    #expect(count("choose a bufferFolder", in: output) == 1, "\(output)")
    #expect(count(".buffer”", in: output) == 2, "\(output)")
  }
}
