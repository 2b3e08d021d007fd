// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Paths with shell syntax` {
  @Test(arguments: ["~", "~/a.log", "$HOME/a.log", "file:///a.log", "file:a.log", "a\0b"])
  func `a path with shell or URL syntax is refused with advice, and no file is created`(
    _ path: String
  ) async throws {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = path as String, folder = folder.path as String] in
      try #require(chdir(folder) == 0)
      let advice = try #require(SystemError.fault(of: path)).description
      let buffers = FileOptions(bufferFolder: path)
      let attempts: [() throws -> Void] = [
        { _ = try FileLog(path: path) },
        { _ = try FileLog(path: "a.log", file: buffers) },
        { _ = try FileAnalytics(path: path) },
        { _ = try FileAnalytics(path: "a.log", file: buffers) },
        { _ = try FileLog.recover(path: path) },
        { _ = try FileLog.recover(path: "a.log", bufferFolder: path) },
        { _ = try FileAnalytics.recover(path: path) },
        { _ = try Consent(path: path) },
      ]
      for (number, attempt) in attempts.enumerated() {
        let error = #expect(throws: (any Error).self, "\(number)") { try attempt() }
        #expect(error.map { "\($0)".contains(advice) } == true, "\(number)")
      }
      for permissions in [0o444, 0o1644] as [UInt16] {
        let error = #expect(throws: BufferError.self) {
          try FileLog.recover(path: "a.log", permissions: permissions)
        }
        #expect(error?.code == .unreadable)
      }
      #expect(throws: BufferError.self) { try FileLog.recover(path: "a.log", bufferFolder: "") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      // The advice that the error gives for a folder of that name.
      _ = try FileLog(path: "./~/a.log")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/~") == ["a.log"])
    }
  }
}
