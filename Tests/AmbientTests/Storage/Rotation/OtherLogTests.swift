// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A log whose name is that of another log's archive.
@Suite struct `Logs named like an archive` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("w") }

  /// In a process of its own, since the log's thread may make the reports.
  @Test(arguments: [1, 600])
  func `a rotation fails while a log with the archive's name is open, and later succeeds`(
    count: Int
  ) async throws {
    await #expect(processExitsWith: .success) {
      [path = path as String, count = count as Int] in
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try FileLog(path: path, level: .info, rotation: .size(2_000, keep: 2))
      do {
        let other = try FileLog(path: path + ".1", level: .info)
        for number in 0..<600 {
          log.info("\(number)")
          if number < count { other.info("\(number)") }
        }
        for log in [log, other] { log.flush() }
        #expect(try numbers(path + ".1") == Array(0..<count))
        #expect(try numbers(path) == Array(0..<600))
        #expect(log.lostRecords == 0 && other.lostRecords == 0)
        #expect(reports.all.map(\.kind) == [.rotation])
        let name = FileSystem.resolved(path + ".1")
        #expect(reports.messages.first?.contains("“\(name)”: \(SystemError.otherLog)") == true)
      }
      let rotates = Patience.wait {
        log.info("more")
        log.flush()
        return access(path + ".2", F_OK) == 0
      }
      #expect(rotates)
      #expect(try numbers(path + ".2") == Array(0..<count))
      #expect(reports.all.map(\.kind) == [.rotation, .recovered])
    }
  }

  @Test func `a rotation doesn't give a dated archive the name of a different log that is open`()
    throws
  {
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      let other = try FileLog(path: path + ".2026-11-26", level: .info)
      other.info("1")
      let rotation = FileRotation(size: 40, zone: .utc, keep: 1, names: .dated)
      let log = try Time.freeze(at: "2026-11-26T12:00:00Z") {
        try FileLog(
          path: path, level: .info, rotation: rotation, file: FileOptions(survives: .eachLine))
      }
      for number in 1...5 { log.info("\(number)") }
      other.info("2")
      other.flush()
      #expect(reports.all.isEmpty)
      #expect(folder.logs == ["w", "w.2026-11-26", "w.2026-11-26.5"])
      #expect(try numbers(path + ".2026-11-26") == [1, 2])
      #expect(try numbers(path + ".2026-11-26.5") == [4])
    }
  }

  @Test func `a rotation fails while another process has a log with the archive's name open`()
    async throws
  {
    let (writer, end) = (try folder.writer("w.1"), folder.path("end"))
    try await Diagnostics.withInstance(Reports()) {
      let log = try FileLog(path: path, level: .info, rotation: .size(2_000, keep: 2))
      for number in 0..<600 { log.info("\(number)") }
      log.flush()
      #expect(folder.logs == ["w", "w.1"])
      #expect(try numbers(path) == Array(0..<600))
      try Data().write(to: URL(filePath: end))
      #expect(await writer.end() == 0)
      let rotates = await Patience.waitIdly {
        log.info("more")
        log.flush()
        return FileManager.default.fileExists(atPath: path + ".2")
      }
      #expect(rotates)
    }
    #expect(try folder.text("w.2").split(separator: "\n").count == 100)
  }
}

extension TemporaryFolder {
  /// The names of the logs and their archives.
  fileprivate var logs: [String] { names.filter { $0.hasPrefix("w") }.sorted() }

  /// Starts a process that logs 100 lines to the file, and then waits for the file `end`.
  fileprivate func writer(_ name: String) throws -> ChildProgram {
    let progress = try SharedProgress(path: path("progress"), threads: 1)
    let program = try ChildProgram(
      Products.program("LineWriter").path,
      [path(name), path("progress"), "o", "1", "100", "await:\(path("end"))"])
    try #require(Patience.wait { progress.count[0] == 100 })
    return program
  }
}

private func numbers(_ path: String) throws -> [Int] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
}
