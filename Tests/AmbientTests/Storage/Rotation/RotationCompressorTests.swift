// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Archive compressor` {
  let folder = TemporaryFolder()

  /// A compressor whose command is a script that gets the file's path.
  private func compressor(
    _ script: String, patience: Int = 30
  ) throws -> RotationCompressor {
    try folder.write("\(script)\n", to: "script")
    var settings = RotationCompressor.Settings(
      rest: .zero, command: ["sh", folder.path("script")])
    settings.patience = patience
    let files = RotatedFiles(folder.path("shop.log"), .numbered, mode: 0o600)
    return RotationCompressor(files, source: "Test", settings)
  }

  private func tries() -> [String] {
    ((try? folder.text("tries")) ?? "").split(separator: "\n").map(String.init)
  }

  private func write(_ names: String...) throws {
    for name in names { try folder.write("line\n", to: name) }
  }

  private var note: String { "echo \"${1##*/}\" >> '\(folder.path("tries"))'" }

  @Test func `RotationCompressor compresses all uncompressed archives, the oldest first`()
    async throws
  {
    try write("shop.log", "shop.log.1", "shop.log.2.gz", "shop.log.3", "shop.log.10", "other.1")
    let compressor = try compressor("\(note); mv \"$1\" \"$1.gz\"")
    #expect(!compressor.isAtWork)
    compressor.startIfNeeded()
    #expect(await Patience.waitIdly { !compressor.isAtWork })
    #expect(tries() == ["shop.log.10", "shop.log.3", "shop.log.1"])
    #expect(
      folder.names == [
        "other.1", "script", "shop.log", "shop.log.1.gz", "shop.log.10.gz", "shop.log.2.gz",
        "shop.log.3.gz", "tries",
      ])
    // Nothing is left to do.
    compressor.startIfNeeded()
    #expect(!compressor.isAtWork)
    compressor.start()
    #expect(await Patience.waitIdly { !compressor.isAtWork })
    #expect(tries().count == 3)
  }

  @Test(.quiet)
  func `RotationCompressor runs a failing command once per archive and reports one failure`()
    async throws
  {
    try write("shop.log.1", "shop.log.2")
    let compressor = try compressor("\(note); exit 1")
    for round in 1...2 {
      compressor.start()
      #expect(await Patience.waitIdly { !compressor.isAtWork })
      #expect(tries().count == 2 * round)
    }
    #expect(Test.reports.map(\.kind) == [.rotation])
    #expect(
      Test.reports.map(\.message) == [
        RotationCompressor.text(ofFailed: "sh", folder.path("shop.log.2"))
      ])
  }

  @Test func `if started again while at work, RotationCompressor also compresses new archives`()
    async throws
  {
    try write("shop.log.1")
    let compressor = try compressor(
      """
      \(note); mv "$1" "$1.gz"
      for try in $(seq 30000); do [ -e '\(folder.path("go"))' ] && exit; sleep 0.01; done
      """)
    compressor.start()
    #expect(await Patience.waitIdly { tries().count == 1 })
    #expect(compressor.isAtWork)
    compressor.start()
    try write("shop.log.2", "go")
    #expect(await Patience.waitIdly { !compressor.isAtWork })
    #expect(tries() == ["shop.log.1", "shop.log.2"])
  }

  @Test(.quiet) func `if its command can't be started, RotationCompressor reports this once`()
    async throws
  {
    try write("shop.log.1", "shop.log.2")
    let files = RotatedFiles(folder.path("shop.log"), .numbered, mode: 0o600)
    let command = folder.path("none")
    let compressor = RotationCompressor(
      files, source: "Test", .init(rest: .zero, command: [command]))
    for _ in 1...2 {
      compressor.start()
      #expect(await Patience.waitIdly { !compressor.isAtWork })
    }
    #expect(folder.names == ["shop.log.1", "shop.log.2"])
    #expect(Test.reports.map(\.kind) == [.rotation])
    #expect(Test.reports.first?.message.contains(command) == true)
  }

  @Test func `RotationCompressor waits until an archive stops changing, but only up to a limit`()
    async throws
  {
    try write("shop.log.1")
    // Each look changes the file that comes next.
    try write("shop.log.2")
    let compressor = try compressor(
      "\(note); echo more >> '\(folder.path("shop.log.1"))'; rm \"$1\"")
    compressor.start()
    #expect(await Patience.waitIdly { !compressor.isAtWork })
    #expect(tries() == ["shop.log.2", "shop.log.1"])
    // With no patience at all, it looks at none.
    try write("shop.log.1")
    let impatient = try self.compressor(note, patience: 0)
    impatient.start()
    #expect(await Patience.waitIdly { !impatient.isAtWork })
    // With one look, it cannot know whether the file changes.
    let hasty = try self.compressor(note, patience: 1)
    hasty.start()
    #expect(await Patience.waitIdly { !hasty.isAtWork })
    #expect(tries().count == 2)
  }

  #if os(Linux)
    @Test func `if no thread can start, RotationCompressor leaves the archive uncompressed`()
      async throws
    {
      chmod(folder.path, 0o777)
      try write("shop.log.1")
      await #expect(processExitsWith: .success) { [path = folder.path("shop.log") as String] in
        await ResourceLimit.forbidThreads()
        let files = RotatedFiles(path, .numbered, mode: 0o600)
        let compressor = RotationCompressor(files, source: "Test", .init(rest: .zero))
        for _ in 1...2 {
          compressor.start()
          #expect(!compressor.isAtWork)
        }
        #expect(FileSystem.exists("\(path).1"))
      }
    }
  #endif
}
