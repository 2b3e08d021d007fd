import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Recovering a log` {
  private let demo = Demo()

  @Test(arguments: [nil, "buffers"])
  func `brings the lines of a writer that died to the log, each once`(
    bufferFolder: String?
  ) async throws {
    let option = bufferFolder.map { ["--buffer-folder", demo.folder.path($0)] } ?? []
    try await demo.folder.writeAndDie(lines: 12, bufferFolder: bufferFolder)
    #expect(try demo.folder.numbers("shop.log") == Array(1...40))
    let path = demo.folder.path("shop.log")
    let outcome = try await demo(["log", "recover", path] + option)
    #expect(outcome.status == 0)
    #expect(outcome.output == "12 lines were brought to “\(path)”\n")
    #expect(outcome.errors.isEmpty)
    #expect(try demo.folder.numbers("shop.log") == Array(1...52))
    let again = try await demo(["log", "recover", path] + option)
    #expect(again.status == 0)
    #expect(again.output == "nothing waits for “\(path)”\n")
    #expect(try demo.folder.numbers("shop.log") == Array(1...52))
  }

  @Test func `takes a name in the folder where it runs, makes no log, and counts one line as one`()
    async throws
  {
    let nothing = try await demo(line: "log recover shop.log")
    #expect(nothing.output == "nothing waits for “shop.log”\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path).isEmpty)
    try await demo.folder.writeAndDie(lines: 1)
    let one = try await demo(line: "log recover shop.log")
    #expect(one.output == "1 line was brought to “shop.log”\n")
  }

  @Test func `says so between words where the width is known`() async throws {
    let path = demo.folder.path("shop.log")
    let outcome = try await demo(["log", "recover", path], environment: ["COLUMNS": "60"])
    #expect(outcome.status == 0)
    #expect(
      outcome.output == "nothing waits for “\(path)”".wrapped(to: 60).map { "\($0)\n" }.joined())
    #expect(outcome.output.count { $0 == "\n" } > 1)
  }

  @Test func `is a line of JSON with --json`() async throws {
    try await demo.folder.writeAndDie(lines: 3)
    let outcome = try await demo(line: "log recover shop.log --json")
    #expect(outcome.status == 0)
    #expect(outcome.output == #"{"log":"shop.log","recoveredLines":3}"# + "\n")
  }

  @Test func `tells of a damaged buffer, status 1, and keeps it for people`() async throws {
    try await demo.folder.writeAndDie(lines: 12)
    let buffer = try #require(try demo.folder.buffers().first)
    try demo.folder.write("AmbLines, cut", to: buffer)
    let outcome = try await demo(line: "log recover shop.log")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: the buffer “"), "\(outcome.errors)")
    #expect(outcome.errors.contains("/\(buffer)” is damaged: it has 13 bytes; lines may be"))
    #expect(try demo.folder.text("\(buffer).damaged") == "AmbLines, cut")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `leaves the lines where they are if the log cannot have them, status 1`() async throws {
    try await demo.folder.writeAndDie(lines: 12)
    let files = FileManager.default
    try files.moveItem(atPath: demo.folder.path("shop.log"), toPath: demo.folder.path("kept"))
    try files.createSymbolicLink(
      atPath: demo.folder.path("shop.log"), withDestinationPath: "/dev/full")
    let outcome = try await demo(line: "log recover shop.log")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("cannot bring the lines of “"), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("they stay where they are\n"), "\(outcome.errors)")
    try files.removeItem(atPath: demo.folder.path("shop.log"))
    try files.moveItem(atPath: demo.folder.path("kept"), toPath: demo.folder.path("shop.log"))
    let again = try await demo(line: "log recover shop.log")
    #expect(again.output == "12 lines were brought to “shop.log”\n")
  }

  @Test(arguments: [
    ("none/shop.log", "cannot look for buffers in “none/”: No such file or directory; give the"),
    ("shop.log --buffer-folder none", "cannot look for buffers in “none”: No such file"),
    ("a.txt/shop.log", "cannot look for buffers in “a.txt/”: "),
    ("folder", "“folder” is a folder; give the file of the log\n"),
  ])
  func `explains a path where nobody can look, status 1`(line: String, text: String) async throws {
    try demo.folder.makeFolder("folder")
    try demo.folder.write("a file", to: "a.txt")
    let outcome = try await demo(line: "log recover \(line)")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("log recover", "PATH is missing", " log recover"),
    ("log recover a b", "log recover does not know what to do with “b”; options", " log recover"),
    ("log recover a --born", "log recover has no option “--born”; it is one of", " log recover"),
    ("log", "there is no command “log”; valid are log recover", ""),
    ("log recove a", "there is no command “log recove”; did you mean “log recover”?", ""),
    ("help log tell", "there is no command “log tell”; valid are log recover", ""),
    ("help log recover a", "help does not know what to do with “a”; options", ""),
    (
      "--buffer-folder a log recover b",
      "the command comes first: log recover, then its options", " log recover"
    ),
  ])
  func `explains wrong words, status 64`(line: String, text: String, command: String) async throws {
    let outcome = try await demo(line: line)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("\nSee ambient-demo\(command) --help.\n"))
  }

  @Test func `is not done to the log of the time's story, which is written anew`() async throws {
    _ = try await demo("time", "--output", ".")
    let lines = try demo.folder.text("ambient-demo.log").split(separator: "\n").count
    try await demo.folder.writeAndDie(lines: 12, to: "ambient-demo.log")
    _ = try await demo("time", "--output", ".")
    #expect(try demo.folder.text("ambient-demo.log").split(separator: "\n").count == lines)
    #expect(try demo.folder.buffers().isEmpty)
  }
}

extension TemporaryFolder {
  /// Has another process log lines, and end so that the last of them are in its buffer only, behind
  /// forty that it has written.
  ///
  /// Once more if it did not come to its end within the second after which lines are written.
  fileprivate func writeAndDie(
    lines: Int, to name: String = "shop.log", bufferFolder: String? = nil
  ) async throws {
    for _ in 0..<20 {
      try await writeAll(40 + lines, to: name, bufferFolder)
      if try numbers(name).count == 40 { return }
      try FileManager.default.removeItem(atPath: path(name))
      let folder = bufferFolder ?? "."
      for buffer in try buffers(in: folder) {
        try FileManager.default.removeItem(atPath: path("\(folder)/\(buffer)"))
      }
    }
    Issue.record("the writer is too slow to leave anything in its buffer")
  }

  private func writeAll(_ lines: Int, to name: String, _ bufferFolder: String?) async throws {
    var words = [path(name), path("progress"), "0", "1", "\(lines)", "_exit", "process"]
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
