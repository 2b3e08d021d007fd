// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Programs that end while their threads log, and while something keeps the log from its work.
@Suite(.withoutSanitizer) struct `Process exit while output blocks` {
  enum End: String, CaseIterable {
    /// A handler of SIGTERM calls `exit`, on a thread that logs.
    case handler
    /// `main` returns.
    case `return`
    /// `AmbientScope.shutdown`, then `main` returns.
    case shutdown
    case abort

    var status: Int32 { self == .abort ? -SIGABRT : 0 }
  }

  enum Trouble: String, CaseIterable {
    /// Standard output and standard error are a full pipe that is never read.
    case fullPipe
    /// Another process holds the lock of the log's writers, and is stopped.
    case heldLock
    /// The disk answers no write of the log's thread.
    case hungDisk
    /// The disk answers no write of a thread that logs.
    case hungLine

    var isHung: Bool { self == .hungDisk || self == .hungLine }
  }

  private struct Outcome {
    let seconds: Double
    let written: Int
    let recovered: Int
    let lost: Int
  }

  /// Whether a program may keep its own calls from returning, which needs Linux and seccomp(2).
  private static let canHang: Bool = {
    let program = try? Products.program("Survivor").path
    return (try? program.map { try ChildProgram($0, ["hang"]) })??.waited() == 0
  }()

  @Test(arguments: End.allCases, [Trouble.fullPipe, .heldLock])
  func `despite a full pipe or a held lock, a program can exit without losing a log line`(
    _ end: End, _ trouble: Trouble
  ) async throws {
    try await repeatEnd(end, trouble)
  }

  @Test(
    .enabled(if: canHang, "seccomp is missing, or may not ask"), arguments: End.allCases,
    [Trouble.hungDisk, .hungLine])
  func `despite a hanging disk, a program can exit without losing a log line`(
    _ end: End, _ trouble: Trouble
  ) async throws {
    try await repeatEnd(end, trouble)
  }

  private func repeatEnd(_ end: End, _ trouble: Trouble) async throws {
    var outcomes: [Outcome] = []
    for _ in 0..<TestRun.rounds(1, all: 2, full: 20) {
      outcomes.append(try await Self.outcome(of: end, trouble))
    }
    guard TestRun.asked == .full else { return }
    let seconds = outcomes.map(\.seconds).sorted()
    print(
      end, trouble, "seconds \(seconds[seconds.count / 2]) \(seconds.last ?? 0)",
      "written \(outcomes.map(\.written).reduce(0, +))",
      "recovered \(outcomes.map(\.recovered).reduce(0, +))",
      "lost \(outcomes.map(\.lost).reduce(0, +))")
  }

  /// Runs the program once. The limit of its end is one for a program that hangs.
  private static func outcome(of end: End, _ trouble: Trouble) async throws -> Outcome {
    let folder = TemporaryFolder()
    let progress = try SharedProgress(path: folder.path("progress"), threads: 4)
    let pipe = trouble == .fullPipe ? try FullPipe() : nil
    let program = try start(end, trouble, pipe, in: folder)
    #expect(await Patience.waitIdly { progress.count[0] >= 200 || progress.phase == .ending })
    let holder =
      trouble == .heldLock ? try await StoppedHolder(lockOf: "shop.log", in: folder) : nil
    try folder.write("", to: "trouble")
    #expect(await Patience.waitIdly { progress.phase == .ending })
    let start = ContinuousClock.now
    let status = await program.end(.seconds(60))
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(status == end.status)
    holder?.program.killed()
    let written = try folder.loggedNumbers().joined().count
    try FileLog.recover(path: folder.path("shop.log"))
    let found = try folder.loggedNumbers().joined().map { $0 }
    #expect(Set(found).count == found.count, "lines came twice")
    let all = Set(found)
    var lost = 0
    for thread in 0..<4 {
      let last = progress.count[thread]
      lost += (1...max(last, 1)).count { !all.contains("t.\(thread).\($0)") }
      #expect(last > 0)
    }
    #expect(lost == 0)
    return Outcome(seconds: seconds, written: written, recovered: found.count - written, lost: lost)
  }

  private static func start(
    _ end: End, _ trouble: Trouble, _ pipe: FullPipe?, in folder: TemporaryFolder
  ) throws -> ChildProgram {
    let trouble =
      trouble == .fullPipe
      ? ["process", "stdout"]
      : [trouble == .hungLine ? "eachLine" : "process"] + (trouble.isHung ? ["hung"] : [])
    return try ChildProgram(
      Products.program("Survivor").path, ["end", folder.path, end.rawValue] + trouble,
      environment: ["SWIFT_BACKTRACE": "enable=no"], output: pipe?.end, errors: pipe?.end)
  }
}

/// A pipe without room that is never read.
private final class FullPipe {
  let end: FileHandle
  private let reader: FileHandle

  init() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    end = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    for size in [4_096, 1] {
      let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size)
      while write(ends[1], bytes, size) == size {}
    }
    _ = fcntl(ends[1], F_SETFL, 0)
  }
}

/// A stopped process that holds the lock of the writers of a log.
private struct StoppedHolder {
  let program: ChildProgram

  init(lockOf name: String, in folder: TemporaryFolder) async throws {
    let path = folder.path(".ambient-\(BufferFile.hash(of: name)).turn")
    program = try ChildProgram(
      "/bin/sh",
      [
        "-c", "exec 9>>\"$1\"; flock 9; touch \"$2\"; exec sleep 1000", "sh", path,
        folder.path("held"),
      ])
    #expect(await Patience.waitIdly { FileSystem.exists(folder.path("held")) })
    program.send(SIGSTOP)
  }
}
