// SPDX-License-Identifier: Apache-2.0

import CAmbient
import CHostile
import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Files under a log's or a queue's ring lose pages: the disk fails, or another process cuts them.
@Suite struct `Lost log buffer pages` {
  private let folder = TemporaryFolder()

  /// How a program ends that has no handler; a sanitizer's handler ends it with 66.
  private static let bySystem: [Int32] = [-SIGBUS, 128 + SIGBUS, 66]

  /// The lines of one thread that are in the log, by their numbers.
  private func numbers() throws -> [Int] {
    try folder.loggedNumbers().joined().compactMap { name in
      name.hasPrefix("w.1.") ? Int(name.dropFirst(4)) : nil
    }
  }

  /// Runs a program that logs, and then reads a lost page of a file of its own.
  private func loseOwnPage(
    _ words: [String], setting variables: [String] = []
  ) async throws -> Command {
    let program = try Products.program("LineWriter").path
    let files = [folder.path("shop.log"), folder.path("progress")]
    return try await Command.run(variables + [program] + files + ["w", "1", "100", "own"] + words)
  }

  private func run(_ end: String, _ words: String...) async throws -> Command {
    try await Command.run(
      [
        try Products.program("LineWriter").path, folder.path("shop.log"), folder.path("progress"),
        "w",
        "1", "0", end,
      ] + words)
  }

  @Test func `if its buffer file is truncated, a log counts the lost lines and makes a new buffer`()
    async throws
  {
    let result = try await run("cut")
    let progress = try SharedProgress(path: folder.path("progress"), threads: 1)
    #expect(result.status == -SIGKILL || result.status == 128 + SIGKILL, "\(result.output)")
    // The last line survives in the new buffer, unless the log's thread has just written it.
    #expect(try FileLog.recover(path: folder.path("shop.log")) <= 1)
    let found = try numbers()
    #expect(Set(found).count == found.count && Set(found).isSuperset(of: 101...201))
    #expect(found.count + progress.lost == 201, "\(found.count) and \(progress.lost)")
    #expect(result.output.contains(".buffer”"))
  }

  @Test func `if its writer thread faults on lost buffer pages, a log creates a new buffer`()
    async throws
  {
    let result = try await run("idle")
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains(".buffer”"))
    #expect(try numbers().starts(with: 1...50))
  }

  #if os(Linux)
    /// Without descriptors, the pages are copied without a pipe.
    @Test(arguments: [false, true])
    func `a read past a ring buffer's wraparound replaces the lost pages and keeps the others`(
      _ hasDescriptors: Bool
    ) async {
      await #expect(processExitsWith: .success) { [hasDescriptors = hasDescriptors as Bool] in
        endIfHanging()
        let folder = TemporaryFolder()
        let file = open(folder.path("ring"), O_RDWR | O_CREAT, 0o600)
        let header = Int(getpagesize())
        let capacity = 16 * header
        try #require(ftruncate(file, off_t(header + capacity)) == 0)
        let mapping = try #require(ambient_ring_map(file, header, capacity))
        // Valid: the ring stays mapped as long as this process lives.
        let ring = UnsafeMutableRawPointer(try #require(mapping.pointee.ring))
        for place in 0..<header { ring.storeBytes(of: 7, toByteOffset: place, as: UInt8.self) }
        try #require(ambient_lost_pages_install())
        // Of the ring, the first two pages are there again.
        try #require(ftruncate(file, off_t(header)) == 0)
        try #require(ftruncate(file, off_t(header + 2 * header)) == 0)
        for place in 0..<header {
          ring.storeBytes(of: 9, toByteOffset: header + place, as: UInt8.self)
        }
        if !hasDescriptors { try #require(ResourceLimit.openFiles.set(0, most: 256)) }
        // Valid: the ring stands there a second time, behind the first.
        let lost = header + capacity + 2 * header
        #expect(ring.load(fromByteOffset: lost, as: UInt8.self) == 0)
        #expect(Int(mapping.pointee.lost) == Int(AMBIENT_RING_REPLACED))
        if !hasDescriptors { try #require(ResourceLimit.openFiles.set(256)) }
        #expect((0..<header).allSatisfy { ring.load(fromByteOffset: $0, as: UInt8.self) == 7 })
        for copy in [header, header + capacity] {
          #expect(
            (0..<header).allSatisfy { ring.load(fromByteOffset: copy + $0, as: UInt8.self) == 9 })
        }
      }
    }
  #endif

  #if os(Linux)
    @Test func `a log tries at most once a second to replace a buffer that lost pages`() async {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        let folder = TemporaryFolder()
        var options = FileOptions()
        options.firstLines = 0
        let log = try FileLog(path: folder.path("shop.log"), level: .info, file: options)
        log.info("in the buffer")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let buffer = folder.path(try #require(names.first { $0.hasSuffix(".buffer") }))
        try #require(truncate(buffer, 0) == 0)
        // Another buffer would be another open file.
        precondition(ResourceLimit.openFiles.set(0, most: 256))
        var tries = 0
        let start = ContinuousClock.now
        for number in 1...300 {
          // A try removes what an earlier one has left there.
          precondition(symlink("left", "\(buffer).new") == 0)
          log.info("line \(number)")
          log.flush()
          if unlink("\(buffer).new") != 0 { tries += 1 }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        precondition(tries > 0 && Double(tries) <= seconds + 2, "\(tries) in \(seconds) s")
        precondition(ResourceLimit.openFiles.set(256))
      }
    }
  #endif

  @Test func `if survivesLostPages is false, a lost page of a log buffer ends the program`()
    async throws
  {
    let result = try await run("cut", "fragile")
    #expect(Self.bySystem.contains(result.status), "\(result.output)")
  }

  @Test(arguments: [
    (["process"], bySystem), (["process", "handlerBefore"], [9]),
    (["process", "handlerBefore", "signals"], [9]), (["signals"], bySystem),
  ])
  func `a lost page of a program's own mapped file has the same effect as without a log`(
    _ words: [String], _ expected: [Int32]
  ) async throws {
    let result = try await loseOwnPage(words)
    #expect(expected.contains(result.status), "\(result.output)")
  }

  @Test(
    .withoutSanitizer,
    arguments: ["process", "signals"])
  func `a crash on a lost page of a program's own file prints the Swift crash report`(
    _ survival: String
  ) async throws {
    var output = ""
    // In a program that has just begun, a thread may still be starting, with all signals blocked.
    for _ in 0..<20 {
      output = try await loseOwnPage(
        [survival], setting: ["SWIFT_BACKTRACE=enable=yes,symbolicate=off"]
      ).output
      #expect(output.contains("Program crashed: Bus error"), "\(output)")
      // The log's own thread is in it, too.
      if !output.contains("failed to suspend") { return }
    }
    Issue.record("\(output)")
  }

  @Test func `a log that also drains its buffer on signals survives lost buffer pages`()
    async throws
  {
    let result = try await run("cut", "signals")
    #expect([-SIGKILL, 128 + SIGKILL].contains(result.status), "\(result.output)")
    #expect(result.output.contains(".buffer”"))
  }

  @Test func `a SIGBUS handler that a program sets after it opened a log is reported once`()
    async throws
  {
    let result = try await run("after")
    #expect(result.status == 0)
    let count = result.output.components(separatedBy: LostPages.otherHandler).count - 1
    #expect(count == 1, "\(result.output)")
  }

  @Test func `drainOnSignals() isn't reported as another SIGBUS handler`() async {
    await #expect(processExitsWith: .success) {
      LostPages.prepare()
      FileLog.drainOnSignals([SIGBUS])
      precondition(LostPages.trouble() == nil)
      signal(SIGBUS, SIG_IGN)
      #if os(Linux)
        precondition(LostPages.trouble() == LostPages.otherHandler)
      #endif
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs unshare(1) and the right to mount a tmpfs"))
  func `if its buffer file has holes and the disk is full, a log loses no line`() async throws {
    let result = try await SmallDisk.run(
      "LineWriter", in: folder,
      """
      $PROGRAM $DISK/shop.log progress w 1 0 holes 2> errors &
      while [ ! -e $DISK/shop.log.holes ]; do sleep 0.01; done
      # Behind the lines that wait.
      fallocate -p -o 73728 -l 450000 $DISK/.ambient*.buffer
      head -c 2000000 /dev/zero > $DISK/filler 2> /dev/null || true; touch $DISK/shop.log.full
      while [ ! -e $DISK/shop.log.logged ]; do sleep 0.01; done
      rm $DISK/filler $DISK/shop.log.full; wait; cp $DISK/shop.log .
      """)
    #expect(result.status == 0, "\(result.output)")
    #expect(try numbers() == Array(1...201))
    let errors = try folder.text("errors")
    #expect(errors.contains(".buffer”") && errors.contains("bufferFolder"), "\(errors)")
  }
}

/// A disk that stops after an error: XFS shuts down then, and takes mapped pages away that were
/// written back.
@Suite struct `Logs on a stopped disk` {
  private static let isPossible: Bool = {
    let script = """
      cd "$(mktemp -d)"; trap 'rm -rf "$PWD"' EXIT
      truncate -s 400M disk && mkfs.xfs -q disk && mkdir there && mount -o loop disk there && umount there
      """
    let program = try? ChildProgram("/usr/bin/unshare", ["-m", "sh", "-ec", script])
    return program?.waited() == 0
  }()

  @Test(
    .long, .withoutSanitizer,
    .enabled(if: isPossible, "needs mkfs.xfs, a loop device and the right to mount"))
  func `after the disk stops working, a program keeps logging and counts the lost lines`()
    async throws
  {
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 4)
    async let outcome = Command.run(
      "unshare", "-m", "sh", "-ec",
      """
      cd "$1"; truncate -s 400M disk; mkfs.xfs -q disk; mkdir there; mount -o loop disk there
      touch go; "$0" there/shop.log progress w 4 40000 await:go paced:20 2> errors & pid=$!
      while [ ! -e stop ]; do sleep 0.01; done
      sync; xfs_io -x -c shutdown there; wait $pid; echo status $?
      umount there; mount -o loop disk there; cp there/shop.log .; umount there
      """, try Products.program("LineWriter").path, folder.path)
    #expect(await Patience.waitIdly { progress.count[0] > 10_000 })
    let before = progress.count[0]
    try folder.write("", to: "stop")
    let result = try await outcome
    #expect(result.output.contains("status 0"), "\(result.output)")
    #expect((0..<4).allSatisfy { progress.count[$0] == 40_000 } && progress.lost > 0)
    let found = try folder.loggedNumbers().joined().filter { $0.hasPrefix("w.0.") }
    #expect(Set(found).count == found.count && found.count > before / 2)
    let errors = try folder.text("errors")
    #expect(errors.components(separatedBy: "cannot write: ").count == 2, "\(errors)")
  }
}
