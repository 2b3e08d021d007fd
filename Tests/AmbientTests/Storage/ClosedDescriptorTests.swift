// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A program that closes all descriptors, as daemons do, or gives a log's number to a file of its
/// own. Each in a process of its own.
@Suite struct `Closed log descriptors` {
  @Test(arguments: [false, true])
  func `if other code closes a log's descriptors, the log loses no line and reports nothing`(
    _ isBuffered: Bool
  ) async throws {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.path("shop.log") as String, isBuffered = isBuffered as Bool] in
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try FileLog(
        path: path, level: .info, file: FileOptions(survives: isBuffered ? .process : .eachLine))
      for number in 0..<100 { log.info("\(number)") }
      log.flush()
      for number in ClosedDescriptorNumbers.ofLogs { close(number) }
      for number in 100..<500 { log.info("\(number)") }
      log.flush()
      guard log.lostRecords == 0, reports.all.isEmpty else {
        exit(1)
      }
    }
    let lines = try folder.text("shop.log").split(separator: "\n")
    #expect(lines.compactMap { Int($0.split(separator: " ").last ?? "") } == Array(0..<500))
  }

  @Test func `a log doesn't write to a foreign file that got the number of the log's descriptor`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.write("mine", to: "database")
    await #expect(processExitsWith: .success) {
      [path = folder.path("shop.log") as String, database = folder.path("database") as String] in
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try robbedLog(path, for: database)
      for number in 100..<500 { log.info("\(number)") }
      log.flush()
      log.reopen()
      for number in 500..<600 { log.info("\(number)") }
      log.flush()
      guard log.lostRecords == 0, reports.all.map(\.kind) == [.writeFailed] else { exit(1) }
    }
    #expect(try folder.text("database") == "mine")
    let lines = try folder.text("shop.log").split(separator: "\n")
    #expect(lines.compactMap { Int($0.split(separator: " ").last ?? "") } == Array(0..<600))
  }

  @Test
  func `if other code reused a log's descriptor, a signal handler leaves lines in the buffer`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.write("mine", to: "database")
    await #expect(processExitsWith: .signal(SIGTERM)) {
      [path = folder.path("shop.log") as String, database = folder.path("database") as String] in
      FileLog.drainOnSignals()
      let log = try robbedLog(path, for: database)
      for number in 100..<200 { log.info("\(number)") }
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(SIGTERM)
    }
    #expect(try folder.text("database") == "mine")
    try FileLog.recover(path: folder.path("shop.log"))
    let lines = try folder.text("shop.log").split(separator: "\n")
    #expect(lines.compactMap { Int($0.split(separator: " ").last ?? "") } == Array(0..<200))
  }

  /// A daemon starts without these, and its own files must not get a log's numbers, nor the reverse.
  @Test(arguments: [[2], [1], [0, 1, 2]])
  func `a log never uses the descriptor number of a closed standard stream`(
    _ closed: [Int]
  ) async throws {
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 1)
    let script = "exec \"$0\" \"$@\" " + closed.map { "\($0)>&-" }.joined(separator: " ")
    let program = try ChildProgram(
      "/bin/sh",
      [
        "-c", script, Products.program("LineWriter").path, folder.path("shop.log"),
        folder.path("progress"), "w", "1", "100", "await:\(folder.path("end"))", "rotate:5000",
      ])
    #expect(await Patience.waitIdly { progress.count[0] == 100 })
    #if os(Linux)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.number)/fd")
      #expect(!open.isEmpty && !closed.contains { open.contains("\($0)") }, "\(open)")
    #endif
    try folder.write("", to: "end")
    #expect(await program.end() == 0)
    #expect(try folder.loggedNumbers().joined().count == 100)
  }
}

private enum ClosedDescriptorNumbers {
  /// The open numbers from 512 on, at which logs keep their files.
  static var ofLogs: [CInt] { (512..<1_024).filter { fcntl($0, F_GETFD) >= 0 } }
}

/// A log of 100 lines, over whose numbers other code has put the file `database`.
private func robbedLog(_ path: String, for database: String) throws -> FileLog {
  let log = try FileLog(path: path, level: .info)
  for number in 0..<100 { log.info("\(number)") }
  log.flush()
  let own = open(database, O_RDWR)
  for number in ClosedDescriptorNumbers.ofLogs { dup2(own, number) }
  return log
}
