// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Log recovery` {
  private struct Recovered: Decodable {
    let log: String
    let recoveredLines: Int
  }

  private let demo = Demo()

  private func recover(_ words: String) async throws -> Int {
    let outcome = try await demo(line: "log recover \(words) --json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let recovered = try outcome.decoded(as: Recovered.self)
    #expect(words.hasPrefix(recovered.log))
    return recovered.recoveredLines
  }

  @Test(arguments: [nil, "buffers"])
  func `the log recover command appends a dead writer's buffered lines exactly once`(
    bufferFolder: String?
  ) async throws {
    let option = bufferFolder.map { " --buffer-folder \(demo.folder.path($0))" } ?? ""
    try await demo.folder.writeAndDie(lines: 12, bufferFolder: bufferFolder)
    #expect(try demo.folder.numbers("shop.log") == Array(1...40))
    let path = demo.folder.path("shop.log")
    #expect(try await recover(path + option) == 12)
    #expect(try demo.folder.numbers("shop.log") == Array(1...52))
    #expect(try await recover(path + option) == 0)
    #expect(try demo.folder.numbers("shop.log") == Array(1...52))
  }

  @Test func `the log recover command accepts a relative path and creates no log`() async throws {
    #expect(try await recover("shop.log") == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path).isEmpty)
    try await demo.folder.writeAndDie(lines: 1)
    let outcome = try await demo(line: "log recover shop.log")
    #expect(outcome.output == "1 line recovered to “shop.log”\n")
  }

  @Test func `the log recover command wraps its output between words at the given width`()
    async throws
  {
    let path = demo.folder.path("shop.log")
    let outcome = try await demo(line: "log recover \(path)", environment: ["COLUMNS": "60"])
    let text = "0 lines recovered to “\(path)”"
    #expect(outcome.output == text.wrapped(to: 60).map { "\($0)\n" }.joined())
    #expect(outcome.output.count { $0 == "\n" } > 1)
  }

  @Test func `the log recover command reports a damaged buffer and keeps the buffer's content`()
    async throws
  {
    try await demo.folder.writeAndDie(lines: 12)
    let buffer = try #require(try demo.folder.buffers().first)
    try demo.folder.write("AmbLines, cut", to: buffer)
    let outcome = try await demo(line: "log recover shop.log")
    #expect(outcome.isFailure(about: "/\(buffer)” is damaged"), "\(outcome)")
    #expect(try demo.folder.text("\(buffer).damaged") == "AmbLines, cut")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `the log recover command keeps the buffer's lines if the log can't be written`() async throws
  {
    try await demo.folder.writeAndDie(lines: 12)
    let files = FileManager.default
    try files.moveItem(atPath: demo.folder.path("shop.log"), toPath: demo.folder.path("kept"))
    try files.createSymbolicLink(
      atPath: demo.folder.path("shop.log"), withDestinationPath: "/dev/full")
    let outcome = try await demo(line: "log recover shop.log")
    #expect(outcome.isFailure(about: "shop.log"), "\(outcome)")
    try files.removeItem(atPath: demo.folder.path("shop.log"))
    try files.moveItem(atPath: demo.folder.path("kept"), toPath: demo.folder.path("shop.log"))
    #expect(try await recover("shop.log") == 12)
  }

  @Test(arguments: [
    ("none/shop.log", "“none/”"), ("shop.log --buffer-folder none", "“none”"),
    ("a.txt/shop.log", "“a.txt/”"), ("folder", "“folder”"),
  ])
  func `the log recover command reports an invalid log path or buffer folder`(
    line: String, path: String
  )
    async throws
  {
    try demo.folder.makeFolder("folder")
    try demo.folder.write("a file", to: "a.txt")
    #expect(try await demo(line: "log recover \(line)").isFailure(about: path))
  }
}

extension TemporaryFolder {
  /// Lets another process log lines, and end when it has written forty of them. The others are in
  /// its buffer only.
  ///
  /// Repeats this if the process took more than a second, after which all lines are written.
  fileprivate func writeAndDie(lines: Int, bufferFolder: String? = nil) async throws {
    for _ in 0..<20 {
      try await writeAll(40 + lines, bufferFolder)
      if try numbers("shop.log").count == 40 { return }
      try FileManager.default.removeItem(atPath: path("shop.log"))
      let folder = bufferFolder ?? "."
      for buffer in try buffers(in: folder) {
        try FileManager.default.removeItem(atPath: path("\(folder)/\(buffer)"))
      }
    }
    Issue.record("the writer is too slow to leave anything in its buffer")
  }

  private func writeAll(_ lines: Int, _ bufferFolder: String?) async throws {
    var words = [path("shop.log"), path("progress"), "0", "1", "\(lines)", "_exit", "process"]
    if let bufferFolder {
      try makeFolder(bufferFolder)
      words.append("buffers:\(path(bufferFolder))")
    }
    let writer = try ChildProgram(Products.program("LineWriter").path, words)
    try await #require(writer.end() == 0)
  }

  /// The numbers of the writer's lines in the file.
  fileprivate func numbers(_ name: String) throws -> [Int] {
    try text(name).split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst(2).first?.split(separator: ".").last.flatMap { Int($0) }
    }
  }

  /// The names of the buffers beside the logs.
  fileprivate func buffers(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).filter {
      $0.hasSuffix(".buffer")
    }
  }
}
