// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Locks that other processes hold, on the log and on the file by which its writers take turns.
@Suite struct `Logs locked by other processes` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }
  private var lock: String { folder.path(".ambient-\(BufferFile.hash(of: "shop.log")).turn") }

  private func log(_ reports: Reports = Reports(), bufferFolder: String? = nil) throws -> FileLog {
    var options = FileOptions(bufferFolder: bufferFolder, whenFull: .wait(atMost: Patience.long))
    options.firstLines = 0
    return try Diagnostics.withInstance(reports) {
      try FileLog(path: path, level: .info, file: options)
    }
  }

  /// Logs so many lines, each flush of which takes its turn.
  private func write(_ lines: Int, _ log: FileLog, _ reports: Reports) {
    Diagnostics.withInstance(reports) {
      for number in 0..<lines {
        log.info("\(number)")
        if number % 100 == 0 { log.flush() }
      }
      log.flush()
    }
  }

  private func numbers() throws -> [Int] {
    try folder.text("shop.log").split(separator: "\n")
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  @Test(arguments: [LOCK_SH, LOCK_EX])
  func `a log writes without waiting for a lock that a reader holds on the log file`(_ kind: CInt)
    throws
  {
    let (log, reports) = (try log(), Reports())
    let reader = FileDescriptor(number: open(path, O_RDONLY | O_CLOEXEC))
    defer { reader.close() }
    #expect(flock(reader.number, kind | LOCK_NB) == 0)
    write(2_000, log, reports)
    #expect(try numbers() == Array(0..<2_000))
    #expect(log.lostRecords == 0 && reports.all.isEmpty)
    // It took its lock, by a file that only those who may write the log can open.
    #expect(try FileStatus(at: lock).isFile)
    #expect(permissions(of: lock) == 0o600)
    withExtendedLifetime(log) {}
  }

  @Test(arguments: [(0o664, 0o660), (0o640, 0o600), (0o666, 0o666), (0o600, 0o600)])
  func `closing a log removes its writer lock file unless other users may open that file`(
    _ mode: Int, _ wanted: Int
  ) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    chmod(path, mode_t(mode))
    do {
      let log = try self.log()
      write(1, log, Reports())
      #expect(permissions(of: lock) == wanted)
    }
    // Other users may not be allowed to make the file again.
    #expect(FileSystem.exists(lock) == (wanted & 0o077 != 0))
  }

  @Test func `a log reports once that another process holds its writer lock, and keeps writing`()
    async
  {
    // In a process of its own, because the log's thread may make the report, which then goes to the
    // process's instance.
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let test = `Logs locked by other processes`()
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try test.log(reports)
      test.write(1, log, reports)
      let peer = FileDescriptor(number: open(test.lock, O_WRONLY | O_CLOEXEC))
      defer { peer.close() }
      #expect(flock(peer.number, LOCK_EX | LOCK_NB) == 0)
      var rounds = 0
      let isTold = Patience.wait(.seconds(100)) {
        test.write(100, log, reports)
        rounds += 1
        return !reports.all.isEmpty
      }
      #expect(isTold)
      test.write(100, log, reports)
      #expect(try test.numbers().count == 1 + (rounds + 1) * 100)
      #expect(log.lostRecords == 0 && reports.all.count == 1)
      let told = reports.all.first?.message
      #expect(told?.contains("“\(test.lock)”") == true)
    }
  }

  @Test func `a reader's lock on the log doesn't block a rotation`() throws {
    let rotation = FileRotation.size(2, keep: 100)
    var file = try RotatingFile(path, rotation, patience: .zero)
    try file.write("1")
    let reader = FileDescriptor(number: open(path, O_RDONLY | O_CLOEXEC))
    defer { reader.close() }
    #expect(flock(reader.number, LOCK_SH | LOCK_NB) == 0)
    #expect(try file.write("2") == .rotated(to: path + ".1", nil))
    #expect(try file.write("3") == .rotated(to: path + ".1", nil))
  }

  @Test func `a rotation fails if another process holds the rotation lock for too long`() throws {
    let lock = folder.path(".shop-log.rotation")
    var file = try RotatingFile(path, .size(2), patience: .zero)
    try file.write("1")
    #expect(permissions(of: lock) == 0o600)
    let hold = try #require(ForeignLock(lock))
    #expect(
      try file.write("2") == .failed(RotationFailure(action: "lock", path: lock, error: .busy)))
    hold.release()
    #expect(try file.write("3") == .rotated(to: path + ".1", nil))
  }

  @Test(arguments: Obstacle.allCases)
  func `if its writer lock can't be created, a log writes without a lock and reports once`(
    _ obstacle: Obstacle
  ) throws {
    let reports = Reports()
    try obstacle.place(at: lock, in: folder)
    let log = try log()
    write(500, log, reports)
    #expect(try numbers() == Array(0..<500))
    #expect(reports.all.count == 1 && log.lostRecords == 0)
    #expect(reports.all.first?.message.contains("“\(self.lock)”") == true)
    try obstacle.expectUntouched(at: lock, in: folder)
  }

  @Test func `if its usual path is blocked, a log's writer lock file is created in bufferFolder`()
    throws
  {
    let reports = Reports()
    try Obstacle.folder.place(at: lock, in: folder)
    let log = try log(bufferFolder: folder.path("buffers"))
    write(500, log, reports)
    #expect(reports.all.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("buffers"))
    #expect(names.contains { $0.hasSuffix(".turn") })
    withExtendedLifetime(log) {}
  }

  @Test func `a log recreates its writer lock file after the file was removed`() async throws {
    let log = try log()
    write(1, log, Reports())
    try FileManager.default.removeItem(atPath: lock)
    let isBack = await Patience.waitIdly {
      write(1, log, Reports())
      return FileSystem.exists(lock)
    }
    #expect(isBack)
  }
}

/// Programs that write as fast as fifty thousand lines a second while others hold locks.
@Suite(.long, .withoutSanitizer, .serialized) struct `Logs at full rate` {
  private let seconds = TestRun.rounds(2, all: 3, full: 30)

  @Test(arguments: ["-s", "-x"])
  func `a log of 50,000 lines a second loses no line while a reader locks the log file`(
    _ kind: String
  ) async throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "shop.log")
    let reader = try ChildProgram(
      "/usr/bin/flock",
      [kind, "--no-fork", folder.path("shop.log"), "sleep", "1800"])
    let writer = try Writer(
      "w", threads: 1, lines: seconds * 50_000, end: "await:\(folder.path("shop.log"))",
      "paced:50", "patient", in: folder)
    #expect(await writer.wait() == 0)
    #expect(writer.progress.lost == 0)
    try folder.expectEachOnce(of: [writer])
    reader.killed()
  }

  @Test func `a log of 50,000 lines a second loses no line while SIGSTOP suspends a second writer`()
    async throws
  {
    let folder = TemporaryFolder()
    let stop = folder.path("stop")
    let peer = try Writer(
      "p", threads: 2, lines: 10_000_000, end: "exit", "until:\(stop)", in: folder)
    #expect(await Patience.waitIdly { peer.progress.count[0] > 100 })
    // Within a batch, if that can be met.
    _ = Patience.wait(.seconds(1)) { peer.progress.isFlushing }
    peer.kill(SIGSTOP)
    let writer = try Writer(
      "w", threads: 1, lines: seconds * 50_000, end: "await:\(folder.path("shop.log"))",
      "paced:50", "patient", in: folder)
    #expect(await writer.wait() == 0)
    #expect(writer.progress.lost == 0)
    try folder.write("", to: "stop")
    peer.kill(SIGCONT)
    await peer.wait()
    try folder.expectEachOnce(of: [writer, peer])
  }
}

private func permissions(of path: String) -> Int? {
  (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
}
