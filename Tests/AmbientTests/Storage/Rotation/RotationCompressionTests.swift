// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.long, .withoutSanitizer, .serialized) struct `Compressed rotation` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }
  private var lock: String { folder.path(".shop-log.rotation") }

  private func waitForNames(_ names: String...) async {
    let isReached = await Patience.waitIdly { folder.names == names }
    #expect(isReached, "\(folder.names)")
  }

  /// A program for the test to use in place of `gzip`.
  private func program(_ script: String) throws -> RotationCompressor.Settings {
    // Not run by itself: what others start at this moment may have it open for writing.
    try folder.write("\(script)\n", to: "programs/gzip")
    return .init(rest: .zero, command: ["sh", folder.path("programs/gzip"), "-f"])
  }

  @Test(arguments: FileRotation.Names.allCases)
  func `a rotation with isCompressed set compresses the new archive with gzip`(
    names: FileRotation.Names
  ) async throws {
    let rotation = FileRotation(size: 2, zone: .utc, names: names, isCompressed: true)
    var file = try RotatingFile(path, rotation)
    try file.write("1")
    try file.write("2")
    let second = names == .dated ? "shop.log.2026-11-26" : "shop.log.1"
    await waitForNames("shop.log", "\(second).gz")
    #expect(try await folder.unzipped("\(second).gz") == "1\n")
    try await rotate(&file)
    let third = names == .dated ? "shop.log.2026-11-26.2" : "shop.log.2"
    await waitForNames(
      "shop.log", names == .dated ? "\(third).gz" : "shop.log.1.gz",
      names == .dated ? "\(second).gz" : "\(third).gz")
    #expect(try await folder.unzipped(names == .dated ? "\(second).gz" : "\(third).gz") == "1\n")
  }

  /// Waits until nobody has the lock.
  private func finished() async {
    let isFree = await Patience.waitIdly {
      let found = ForeignLock(lock)
      found?.release()
      return found != nil
    }
    #expect(isFree)
  }

  @Test func `if an archive's compression was interrupted, opening the log compresses it again`()
    async throws
  {
    try folder.write("whole\n", to: "shop.log.1")
    try folder.write("half", to: "shop.log.1.gz")
    try folder.write("whole, too\n", to: "shop.log.2")
    try folder.write("open\n", to: "shop.log")
    let file = try RotatingFile(path, .size(100, isCompressed: true))
    await waitForNames("shop.log", "shop.log.1.gz", "shop.log.2.gz")
    #expect(try await folder.unzipped("shop.log.1.gz") == "whole\n")
    #expect(try await folder.unzipped("shop.log.2.gz") == "whole, too\n")
    file.close()
  }

  @Test
  func `a rotation removes a half-compressed archive and keeps the uncompressed one`()
    throws
  {
    try folder.write("whole\n", to: "shop.log.1")
    try folder.write("half", to: "shop.log.1.gz")
    try folder.write("open\n", to: "shop.log")
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    #expect(
      try folder.contents == ["shop.log": "1", "shop.log.1": "open", "shop.log.2": "whole"])
  }

  @Test func `a rotation is postponed while an archive is being compressed`() async throws {
    let settings = try program(
      """
      touch '\(folder.path("begun"))'
      for try in $(seq 30000); do [ -e '\(folder.path("go"))' ] && exec gzip "$@"; sleep 0.02; done
      """)
    var file = try RotatingFile(path, .size(2, isCompressed: true), compression: settings)
    try file.write("1")
    try file.write("2")
    #expect(await Patience.waitIdly { folder.names.contains("begun") })
    #expect(try file.write("3") == .postponed)
    try folder.write("", to: "go")
    await waitForNames("begun", "go", "programs", "shop.log", "shop.log.1.gz")
    await finished()
    // While the compressor looks at the files, and for a moment after gzip, it has the lock.
    let isRotated = try await Patience.waitIdly {
      if case .rotated? = try file.write("4") { true } else { false }
    }
    #expect(isRotated)
    #expect(try folder.text("shop.log") == "4\n")
  }

  @Test func `compression of an archive waits while a program still writes to that archive`()
    async throws
  {
    var settings = try program("exec gzip \"$@\"")
    settings.rest = .milliseconds(500)
    let late = try folder.makeFile("shop.log.1")
    try folder.write("", to: "shop.log")
    let file = try RotatingFile(path, .size(2, isCompressed: true), compression: settings)
    for _ in 0..<50 {
      try late.write(contentsOf: Data("late\n".utf8))
      SystemThread.sleep(.milliseconds(2))
    }
    await waitForNames("programs", "shop.log", "shop.log.1.gz")
    let lines = try await folder.unzipped("shop.log.1.gz").split(separator: "\n")
    #expect(lines.count == 50)
    file.close()
  }

  /// Rotates, waits until the compressor has failed, and rotates once more.
  private func rotateTwice(
    _ settings: RotationCompressor.Settings, _ reports: Reports
  ) async throws {
    var file = try RotatingFile(path, .size(2, isCompressed: true), compression: settings)
    try file.write("1")
    try file.write("2")
    #expect(await Patience.waitIdly { !reports.all.isEmpty })
    try await rotate(&file)
  }

  /// Writes until the file is rotated. While the compressor looks at the files, and for a moment
  /// after gzip, it has the lock, so a rotation is postponed.
  private func rotate(_ file: inout RotatingFile) async throws {
    let isRotated = try await Patience.waitIdly {
      if case .rotated? = try file.write("3") { true } else { false }
    }
    #expect(isRotated)
  }

  @Test func `a missing gzip is reported once and archives stay uncompressed`() async throws {
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      try await rotateTwice(.init(rest: .zero, command: [folder.path("none")]), reports)
      await finished()
    }
    let all = reports.all
    #expect(all.count == 1 && all[0].kind == .rotation)
    let text = RotationCompressor.text(ofUnstarted: folder.path("none"), .unopened)
    #expect(all[0].source == "Test" && all[0].message == text)
    let contents = try folder.contents
    #expect(contents.count == 3)
    #expect(contents["shop.log"] == "3" && contents["shop.log.2"] == "1")
    #expect(contents["shop.log.1"]?.hasPrefix("2") == true)
  }

  @Test(.quiet)
  func `if gzip fails on an archive, RotationCompressor retries it only at its next start`()
    async throws
  {
    let settings = try program("echo try >> '\(folder.path("tries"))'; exit 1")
    for name in ["shop.log", "shop.log.1", "shop.log.2"] { try folder.write("line\n", to: name) }
    let files = RotatedFiles(path, .numbered, mode: 0o600)
    let compressor = RotationCompressor(files, source: "Test", settings)
    func tries() -> Int { ((try? folder.text("tries")) ?? "").split(separator: "\n").count }
    for round in 1...2 {
      compressor.start()
      #expect(await Patience.waitIdly { !compressor.isAtWork || tries() > 2 * round })
      #expect(tries() == 2 * round)
    }
    #expect(Test.reports.map(\.kind) == [.rotation])
  }

  @Test func `if gzip fails, this is reported once, and the uncompressed archive is kept`()
    async throws
  {
    let settings = try program(
      "echo half > \"$2.gz\"; echo try >> '\(folder.path("tries"))'; exit 1")
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      try await rotateTwice(settings, reports)
      let isTried = await Patience.waitIdly {
        ((try? folder.text("tries")) ?? "").split(separator: "\n").count > 1
      }
      #expect(isTried)
    }
    let lines = (1...3).flatMap { number in
      ((try? folder.text("shop.log.\(number)")) ?? "").split(separator: "\n")
    }
    #expect(lines.contains("1"))
    #expect(reports.all.count == 1)
    let report = reports.all[0]
    #expect(report.message.contains("“\(folder.path)/shop.log."), "\(report)")
  }
}
