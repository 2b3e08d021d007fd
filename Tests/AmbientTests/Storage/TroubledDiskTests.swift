// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A small disk of its own, where the user may mount one.
@Suite(
  .long, .withoutSanitizer, .serialized,
  .enabled(if: SmallDisk.isPossible, "needs unshare(1) and the right to mount a tmpfs"))
struct `Logs on a full disk` {
  @Test(arguments: [(3_000, false), (9_000, true)])
  func `a log on a full disk keeps the lines that its buffer holds and counts the lost ones`(
    _ lines: Int, _ isMore: Bool
  ) async throws {
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 1)
    async let outcome = SmallDisk.run(
      "LineWriter", in: folder,
      """
      head -c 500000 /dev/zero > $DISK/filler
      $PROGRAM $DISK/shop.log progress w 1 \(lines) await:go 2> errors &
      while [ ! -e space ]; do sleep 0.01; done
      rm $DISK/filler; touch go; wait; cp $DISK/shop.log .
      """)
    #expect(await Patience.waitIdly { progress.phase == .ending })
    try folder.write("", to: "space")
    let result = try await outcome
    #expect(result.status == 0, "\(result.output)")
    let all = try folder.text("shop.log").split(separator: "\n")
    let own = all.filter { $0.hasSuffix("writes it") }
    #expect(own.count + progress.lost == lines && (progress.lost > 0) == isMore)
    // Whole lines, each once, and one that says how many are not there.
    #expect(Set(own.compactMap { $0.split(separator: " ").dropFirst(2).first }).count == own.count)
    #expect(all.count - own.count == (isMore ? 1 : 0))
    if isMore { #expect(all.contains { $0.contains(" lost=\(progress.lost)") }) }
    let errors = try folder.text("errors")
    #expect(errors.components(separatedBy: "cannot write: ").count == 2, "\(errors)")
    #expect(errors.components(separatedBy: Failures.recovery).count == 2, "\(errors)")
  }

  @Test func `a log rotated on a full disk counts every lost line`() async throws {
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 1)
    async let outcome = SmallDisk.run(
      "LineWriter", in: folder,
      """
      head -c 500000 /dev/zero > $DISK/filler
      $PROGRAM $DISK/shop.log progress w 1 9000 await:go rotate:60000 2> errors &
      while [ ! -e space ]; do sleep 0.01; done
      rm $DISK/filler; touch go; wait; cp $DISK/shop.log* .
      """)
    #expect(await Patience.waitIdly { progress.phase == .ending })
    try folder.write("", to: "space")
    let result = try await outcome
    #expect(result.status == 0, "\(result.output)")
    let files = try folder.loggedNumbers()
    let lines = files.joined()
    #expect(lines.count + progress.lost == 9_000 && progress.lost > 0)
    #expect(Set(lines).count == lines.count && files.count > 3)
    // The one that says how many are not there.
    #expect(try folder.text("shop.log").contains(" lost=\(progress.lost)"))
  }

  @Test func `if the disk has no room for a buffer, a log writes line by line`() async throws {
    let folder = TemporaryFolder()
    let result = try await SmallDisk.run(
      "LineWriter", in: folder,
      """
      head -c 900000 /dev/zero > $DISK/filler
      $PROGRAM $DISK/shop.log progress w 1 100 exit 2> errors; cp $DISK/shop.log .
      """)
    #expect(result.status == 0, "\(result.output)")
    #expect(try folder.text("shop.log").split(separator: "\n").count == 100)
    #expect(try folder.text("errors").contains("bufferFolder"))
  }

  /// The smaller one allows no buffer.
  @Test(arguments: [20_480, 700_000])
  func `at the file size limit, a log counts lost lines and doesn't end the program`(
    _ limit: Int
  ) async throws {
    let folder = TemporaryFolder()
    let result = try await SmallDisk.run(
      "LineWriter", in: folder, size: "4m",
      """
      touch go
      FILE_LIMIT=\(limit) $PROGRAM $DISK/shop.log progress w 1 14000 await:go 2> errors
      # What waits in the buffer has the next opening.
      $PROGRAM $DISK/shop.log next x 1 0 exit 2>> errors; cp $DISK/shop.log .
      """)
    let progress = try SharedProgress(path: folder.path("progress"), threads: 1)
    #expect(result.status == 0, "\(result.output)")
    let lines = try folder.text("shop.log").split(separator: "\n").count { $0.hasSuffix("it") }
    #expect(lines + progress.lost == 14_000 && progress.lost > 0)
  }
}

@Suite struct `Logs of forking programs` {
  @Test func `a program and its forked child write each line that they log exactly once`()
    async throws
  {
    let folder = TemporaryFolder()
    let writer = try Products.program("LineWriter").path
    let result = try await Command.run(
      writer, folder.path("shop.log"), folder.path("progress"), "w", "1", "100", "fork")
    #expect(result.status == 0, "\(result.output)")
    let lines = try folder.text("shop.log").split(separator: "\n")
    let numbers = lines.compactMap { $0.split(separator: " ").dropFirst(2).first }
    #expect(numbers.count == 1_100 && Set(numbers).count == 1_100)
  }

  @Test(arguments: [true, false])
  func `if a forked child cannot open the log's file, it reports this and counts its lines as lost`(
    _ isBuffered: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isBuffered = isBuffered as Bool] in
      let folder = TemporaryFolder()
      var options = FileOptions(survives: isBuffered ? .process : .eachLine)
      options.firstLines = 0
      let log = try FileLog(path: folder.path("logs/shop.log"), level: .info, file: options)
      log.info("one")
      log.flush()
      try FileManager.default.moveItem(atPath: folder.path("logs"), toPath: folder.path("old"))
      try folder.write("", to: "logs")
      let reports = Reports()
      Diagnostics.instance = reports
      let status = statusOfFork {
        log.reopen()
        guard reports.all.map(\.kind) == [.writeFailed] else { return 1 }
        for number in 1...3 { log.info("\(number)") }
        return log.lostRecords == 3 ? 0 : 2
      }
      precondition(status == 0, "\(status)")
    }
  }

  @Test(.long, .withoutSanitizer, arguments: ["process", "eachLine"])
  func `a process that forks while many threads log neither hangs nor loses lines`(
    _ survival: String
  ) async throws {
    let folder = TemporaryFolder()
    let forks = TestRun.rounds(20, all: 60, full: 200)
    let writer = try Writer(
      "w", threads: 8, lines: 0, end: "forks:\(forks)", survival, "patient", in: folder)
    #expect(await writer.wait() == 0)
    try folder.expectEachOnce(of: [writer])
    let ofForks = try Set(folder.loggedNumbers().joined().filter { $0.hasPrefix("w.fork.") })
    #expect(ofForks.count == forks)
  }
}
