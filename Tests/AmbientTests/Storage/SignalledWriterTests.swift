// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

/// Programs that asked for their buffers to be drained on signals.
@Suite(.long, .withoutSanitizer, .serialized) struct `Signals that end a program` {
  // A terminal's signal is from the kernel, with a code of its own.
  @Test(arguments: [("terminate", SIGTERM), ("abort", SIGABRT), ("interrupt", SIGINT)])
  func `before a signal ends a program, every buffered line is written to the log`(
    _ end: String, _ signal: Int32
  ) async throws {
    let folder = TemporaryFolder()
    // The last ten wait in the buffer when the signal comes.
    let writer = try Writer("a", threads: 2, lines: 2_010, end: end, "signals", in: folder)
    #expect(await writer.wait() == signal)
    #expect(try folder.loggedNumbers().joined().count == 4_020)
    try folder.expectEachOnce(of: [writer])
  }

  @Test func `if a program's own signal handler ends it, every buffered log line is written first`()
    async throws
  {
    let folder = TemporaryFolder()
    let writer = try Writer("a", threads: 1, lines: 2_010, end: "raise", "handler", in: folder)
    // 7 says that the handler was called.
    #expect(await writer.wait() == 7)
    #expect(try folder.loggedNumbers().joined().count == 2_010)
  }

  @Test func `if a signal ends a program at a random time, its log loses and repeats no line`()
    async throws
  {
    for round in 0..<TestRun.rounds(4, all: 16, full: 40) {
      let folder = TemporaryFolder()
      let words = round % 2 == 0 ? "process" : "rotate:20000"
      let writer = try Writer(
        "w", threads: 2, lines: 1_000_000, end: "wait", "signals", words, in: folder)
      #expect(await Patience.waitIdly { writer.progress.count[0] > 0 })
      try await Task.sleep(for: .microseconds(.random(in: 0..<10_000)))
      writer.kill(SIGTERM)
      #expect(await writer.wait() == SIGTERM)
      try FileLog.recover(path: folder.path("shop.log"))
      try folder.expectEachOnce(of: [writer])
    }
  }
}

/// What a signal's handler does with the buffer of a log, of which this process logs to none.
@Suite struct `Draining on signals` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func numbers() throws -> [Int] {
    try folder.text("shop.log").split(separator: "\n")
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  private func buffers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".buffer") }
  }

  // The handler writes up to 64 lines at once.
  @Test(arguments: [1, 64, 65, 200])
  func `on a signal, a log buffer's lines are written in order and none is left to recover`(
    _ count: Int
  ) async throws {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      [path = path as String, count = count as Int] in
      try logBuffered(count, to: path)
      raise(SIGTERM)
    }
    #expect(try numbers() == Array(1...count))
    #expect(try buffers().count == 1)
    #expect(try FileLog.recover(path: path) == 0)
    #expect(try numbers() == Array(1...count) && buffers().isEmpty)
  }

  @Test func `on a signal, all lines of a log buffer except damaged ones are written`() async throws
  {
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
      // The log's own thread does not drain a ring that is claimed.
      try logBuffered(100, to: path) { #expect(ambient_drain_claim($0)) }
      try change { mapping in
        // A byte of the first line, and of another. Valid: both are within the ring.
        for place in [0, 64 * 33] as [UInt64] { ambient_ring_memory(mapping, place)[30] = 0 }
        ambient_drain_release(mapping)
      }
      raise(SIGTERM)
    }
    let found = try numbers()
    #expect(found.count == 98 && found == found.sorted() && Set(found).count == 98)
    #expect(found.first == 2 && found.last == 100)
  }

  @Test func `on a signal, no line of a partly written batch is written twice`() async throws {
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
      let log = try logBuffered(3, to: path) { #expect(ambient_drain_claim($0)) }
      try change { mapping in
        let (start, end) = (ambient_ring_start(mapping), ambient_ring_end(mapping))
        let identity = FileDescriptor.identity(at: path)
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let all = ambient_lines_gather(mapping, start, end, &bytes, bytes.count)
        ambient_lines_intend(
          mapping, identity?.device ?? 0, identity?.file ?? 0, 0, start, end)
        // Two of the three.
        let file = try FileDescriptor.appending(to: path)
        try bytes[..<(all.count / 3 * 2)].withUnsafeBytes { try file.writeAll($0) }
        ambient_drain_release(mapping)
      }
      log.info("4")
      raise(SIGTERM)
    }
    try FileLog.recover(path: path)
    #expect(try numbers() == Array(1...4))
  }

  @Test func `on a signal, a log buffer that is already being drained is left alone`()
    async throws
  {
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
      try logBuffered(3, to: path) { #expect(ambient_drain_claim($0)) }
      raise(SIGTERM)
    }
    #expect(try folder.text("shop.log").isEmpty)
    #expect(try FileLog.recover(path: path) == 3)
    #expect(try numbers() == [1, 2, 3])
    #expect(folder.names == ["shop.log"])
  }

  @Test func `on a signal, a log buffer is drained before the earlier signal handler is called`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.path("shop.log")
      signal(SIGUSR1) { _ in signalsHandled.add(1, ordering: .relaxed) }
      signal(SIGHUP, SIG_IGN)
      FileLog.drainOnSignals([SIGUSR1, SIGHUP])
      let log = try logBuffered(3, to: path)
      raise(SIGHUP)
      errno = 7
      raise(SIGUSR1)
      #expect(errno == 7)
      #expect(signalsHandled.load(ordering: .relaxed) == 1)
      #expect(try folder.text("shop.log").split(separator: "\n").count == 3)
      // It is not installed again.
      FileLog.drainOnSignals([SIGUSR1])
      log.info("4")
      raise(SIGUSR1)
      #expect(signalsHandled.load(ordering: .relaxed) == 2)
      log.flush()
      #expect(try folder.text("shop.log").split(separator: "\n").count == 4)
      // The ignored one is ignored still, by programs that this one starts, too.
      var action = sigaction()
      #expect(sigaction(SIGHUP, nil, &action) == 0)
      #expect(isIgnored(action))
    }
  }

  @Test(arguments: [0, -1, SIGKILL, SIGSTOP, 65])
  func `ambient_drain_at fails with EINVAL for an invalid or uncatchable signal`(_ signal: CInt) {
    for _ in 1...2 {
      errno = 0
      #expect(!ambient_drain_at(signal) && errno == EINVAL)
    }
  }
}

private let signalsHandled = Atomic<Int>(0)

private func isIgnored(_ action: sigaction) -> Bool {
  // A function's address as a number: SIG_IGN is 1.
  #if canImport(Glibc)
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  #elseif canImport(Musl)
    unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self) == 1
  #else
    unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
  #endif
}

/// Opens a log whose buffer is drained on signals, and logs so many lines, each of which takes 64
/// bytes with its frame. They wait: a buffer is written out when a second is over.
@discardableResult
private func logBuffered(
  _ count: Int, to path: String,
  _ prepare: (UnsafeMutablePointer<ambient_mapping>) -> Void = { _ in }
) throws -> FileLog {
  var options = FileOptions()
  options.firstLines = 0
  FileLog.drainOnSignals()
  unblockSignals()
  let log = try FileLog(path: path, level: .info, file: options)
  try change(prepare)
  // A handler that never ended would fill the disk.
  try #require(ResourceLimit.fileSize.set(1 << 20))
  for number in 1...count { log.info("\(number)") }
  // So that it is not closed, as it would be without further use.
  keptLogs.withLock { $0.append(log) }
  return log
}

private let keptLogs = Guarded<[FileLog]>([])

/// Threads of a pool, of which one may have started this process, block them.
private func unblockSignals() {
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_UNBLOCK, &all, nil)
}

/// Changes the state of the only ring.
private func change(
  _ body: (UnsafeMutablePointer<ambient_mapping>) throws -> Void
) throws {
  // This process has no other.
  try body(try #require(ambient_mappings()))
}

/// More logs than any table of a fixed size would hold.
@Suite struct `Two hundred logs of one program` {
  private let folder = TemporaryFolder()

  private func expectAll() throws {
    let found = Set(try folder.loggedNumbers().joined())
    for log in 0..<200 {
      let missing = (1...40).filter { !found.contains("w.\(log).\($0)") }
      #expect(missing.isEmpty, "log \(log): \(missing)")
    }
  }

  @Test func `before a signal ends a program, all lines of its 200 logs are written`() async throws
  {
    let writer = try Writer(
      "w", threads: 1, lines: 0, end: "terminate", "signals", "logs:200", in: folder)
    #expect(await writer.wait() == SIGTERM)
    try expectAll()
  }

  @Test
  func `recovery writes all lines of a killed program even while its forked child still runs`()
    async throws
  {
    let writer = try Writer(
      "w", threads: 1, lines: 0, end: "orphan:\(folder.path("stop"))", "logs:200", in: folder)
    defer { try? folder.write("", to: "stop") }
    #expect(await writer.wait() == SIGKILL)
    for log in 1...200 { try FileLog.recover(path: folder.path("shop.log.\(log)")) }
    try expectAll()
  }
}
