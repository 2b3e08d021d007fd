// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

/// What a writer leaves that is killed within a write.
@Suite struct `Incomplete lines of dead writers` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  enum Way: CaseIterable { case eachLine, firstLines, batch, replaced }

  private func log(_ way: Way) throws -> FileLog {
    var options = FileOptions(survives: way == .eachLine ? .eachLine : .process)
    options.firstLines = way == .batch ? 0 : 1_000
    return try FileLog(path: path, level: .info, file: options)
  }

  private func write(_ line: String, _ log: FileLog, _ way: Way) {
    // One that was replaced opens the file for each line.
    if way == .replaced { Log.withInstance(log) {} }
    log.info("\(line)")
    log.flush()
  }

  private func append(_ text: String) throws {
    let other = try FileDescriptor.appending(to: path)
    try Array(text.utf8).withUnsafeBytes { try other.writeAll($0) }
    other.close()
  }

  private func lines() throws -> [String] {
    try folder.text("shop.log").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private func isWhole(_ line: String, _ word: String) -> Bool {
    line.hasSuffix("Z info     \(word)") && line.utf8.count == 28 + 9 + word.utf8.count
  }

  @Test(arguments: Way.allCases)
  func `before its first line, a log ends an incomplete last line of its file with a newline`(
    _ way: Way
  ) throws {
    try append("whole\nhal")
    write("one", try log(way), way)
    let lines = try lines()
    #expect(lines.count == 4 && lines[..<2] == ["whole", "hal"] && lines[3] == "")
    #expect(isWhole(lines[2], "one"))
  }

  @Test(arguments: Way.allCases)
  func `a log's own lines stay whole even if other writers of the file die within a line`(
    _ way: Way
  ) throws {
    let log = try log(way)
    for number in 0..<50 {
      write("\(number)", log, way)
      if number % 7 == 3 { try append("hal") }
      if number % 7 == 5 { try append("other\n") }
    }
    let lines = try lines()
    for number in 0..<50 {
      #expect(lines.count { isWhole($0, "\(number)") } == 1, "\(number)")
    }
    // Behind each half stands nothing, or one line that is there again.
    let rest = lines.dropLast().filter { line in !(0..<50).contains { isWhole(line, "\($0)") } }
    #expect(rest.count { $0 == "other" } == 7)
    #expect(rest.count { $0.hasPrefix("hal") } == 7 && rest.count == 14)
  }

  @Test func `after a different program's incomplete line, a forked child writes whole lines`()
    async throws
  {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let log = try FileLog(path: path, level: .info)
      log.info("parent")
      let other = try FileDescriptor.appending(to: path)
      try Array("hal".utf8).withUnsafeBytes { try other.writeAll($0) }
      let status = statusOfFork {
        log.info("child")
        return 0
      }
      exit(status)
    }
    let lines = try lines()
    #expect(lines.count == 4 && lines[1] == "hal" && isWhole(lines[2], "child"))
  }

  @Test func `a log that can't read its file still writes after an incomplete line`() throws {
    try append("hal")
    chmod(path, 0o200)
    let log = try log(.eachLine)
    for number in 0..<5 { log.info("\(number)") }
    chmod(path, 0o600)
    #expect(try lines().count >= 6 && log.lostRecords == 0)
  }
}

/// A line that another process still writes, in parts.
@Suite struct `Incomplete lines of live writers` {
  private let folder = TemporaryFolder()

  // The microseconds between two parts. Two looks with the lock are 1,000 apart. Without the lock,
  // which a folder in its place prevents, the line has to stay the same for twenty of these.
  @Test(arguments: [(200, true), (4_000, false)])
  func `a log waits until the line that a different process is writing is complete`(
    _ pause: Int, _ hasLock: Bool
  )
    async throws
  {
    let whole = "before\nhal" + String(repeating: "x", count: growths - 1) + "\nnext\n"
    var text = ""
    // A busy machine may hold back the parts of one of them, but not of all.
    for number in 1...10 where text != whole {
      let name = "\(number).log"
      if !hasLock { try folder.makeFolder(".ambient-\(BufferFile.hash(of: name)).turn") }
      await #expect(processExitsWith: .success) {
        [path = folder.path(name) as String, pause = pause as Int] in
        let isThere = try isAppended("next\n", behindHalfALineAt: path, thatGrowsEvery: pause)
        #expect(isThere)
      }
      text = try folder.text(name)
    }
    #expect(text == whole)
  }
}

/// The number of bytes by which the half line grows, one at a time; the last ends it.
private let growths = 200
private let growthsLeft = Atomic<Int>(0)
private let growing = Atomic<CInt>(-1)

/// Whether a fork could append the line to a file whose last line grows meanwhile.
///
/// A timer's signal grows the line, in the fork itself: a fork has one thread, so the signal comes to
/// the thread that looks, before its next look, even on a busy machine. No other process could grow
/// the line that reliably.
private func isAppended(
  _ line: String, behindHalfALineAt path: String, thatGrowsEvery pause: Int
) throws -> Bool {
  let other = try FileDescriptor.appending(to: path)
  defer { other.close() }
  try Array("before\nhal".utf8).withUnsafeBytes { try other.writeAll($0) }
  growing.store(other.number, ordering: .relaxed)
  growthsLeft.store(growths, ordering: .relaxed)
  var file = OpenFile(path: path, FileOptions(), try OpenFile.open(path, nil))
  let bytes = Array(line.utf8)
  let child = forkProcess()
  if child == 0 {
    growByAlarm(every: pause)
    let error = bytes.withUnsafeBytes { file.write($0, nil) }
    _exit(error == nil ? 0 : 1)
  }
  var status: Int32 = 0
  return waitpid(child, &status, 0) == child && status == 0
}

private func growByAlarm(every pause: Int) {
  signal(SIGALRM) { _ in
    let left = growthsLeft.subtract(1, ordering: .relaxed).newValue
    guard left >= 0 else { return }
    var byte = left > 0 ? UInt8(ascii: "x") : UInt8(ascii: "\n")
    _ = write(growing.load(ordering: .relaxed), &byte, 1)
  }
  // Threads of a pool, by one of which this may have been forked, block it.
  var alarms = sigset_t()
  sigemptyset(&alarms)
  sigaddset(&alarms, SIGALRM)
  pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
  ualarm(useconds_t(pause), useconds_t(pause))
}

/// Programs that write line by line and are killed.
@Suite(.long, .withoutSanitizer, .serialized) struct `Killed line-by-line writers` {
  fileprivate static let filler = 60_000

  @Test func `in a line-by-line log, each logged line is whole even if other writers are killed`()
    async throws
  {
    var glued = 0
    let rounds = TestRun.rounds(16, all: 60, full: 200)
    for _ in 0..<rounds {
      let folder = TemporaryFolder()
      let stop = folder.path("stop")
      // Of some pages, between which a kill cuts a write short.
      let dying = try (0..<2).map {
        try Writer(
          "d\($0)", threads: 1, lines: 1_000_000, end: "wait", "eachLine",
          "long:\(Self.filler)", in: folder)
      }
      for writer in dying {
        #expect(await Patience.waitIdly { writer.progress.count[0] > 0 })
      }
      // Last: a writer that was alone looks for others once a second only.
      let living = try Writer(
        "l", threads: 2, lines: 10_000_000, end: "exit", "eachLine", "until:\(stop)", in: folder)
      #expect(await Patience.waitIdly { living.progress.count[0] > 0 })
      try await Task.sleep(for: .microseconds(.random(in: 0..<3_000)))
      for writer in dying { writer.kill() }
      for writer in dying { await writer.wait() }
      try folder.write("", to: "stop")
      await living.wait()
      glued += try folder.expectEachReadable(of: [living] + dying)
    }
    if rounds >= 40 { print("of the lines, \(glued) stood behind half of another's") }
  }
}

extension TemporaryFolder {
  /// Checks that each line whose call returned is there whole, once; returns how many lines are not
  /// as any writer writes them.
  fileprivate func expectEachReadable(of writers: [Writer]) throws -> Int {
    let end = Array("a line of the usual length, as a server writes it".utf8)
    let filler = `Killed line-by-line writers`.filler + 1
    var (found, others): ([String: Int], Int) = ([:], 0)
    for line in try Data(contentsOf: url.appending(path: "shop.log")).split(separator: 0x0A) {
      let words = line.split(separator: 0x20, maxSplits: 3)
      if words.count == 4, words[0].count == 27, words[3].suffix(end.count).elementsEqual(end),
        [end.count, end.count + filler].contains(words[3].count)
      {
        found[String(decoding: words[2], as: UTF8.self), default: 0] += 1
      } else {
        others += 1
      }
    }
    #expect(found.values.allSatisfy { $0 == 1 }, "\(found.filter { $0.value > 1 }.prefix(3))")
    for writer in writers {
      for thread in 0..<writer.threads {
        let last = writer.progress.count[thread]
        let missing = (0..<last).filter { found["\(writer.id).\(thread).\($0 + 1)"] == nil }
        #expect(missing.isEmpty, "\(writer.id).\(thread): \(missing.count) of \(last) are missing")
      }
    }
    return others
  }
}
