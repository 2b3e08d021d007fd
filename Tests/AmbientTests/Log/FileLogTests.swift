// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `FileLog writing` {
  @Test func `FileLog creates its folder and appends lines in the log's format`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("deep/er/shop.log")
    try Time.freeze(at: "2026-11-27T05:00:00Z") {
      try FileLog(path: path).info("order \(1) placed", ["total": 1999])
      try FileLog(path: path, level: .error, format: .logfmt).error("failed")
      try FileLog(path: path, level: .error).info("below")
    }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        2026-11-27T05:00:00.000000Z info     order 1 placed total=1999
        time=2026-11-27T05:00:00.000000Z level=error msg="failed"

        """)
  }

  @Test func `if several tasks log at once, FileLog keeps each line whole`() async throws {
    let folder = TemporaryFolder()
    let path = folder.path("shop.log")
    let logs = try (0..<2).map { _ in try FileLog(path: path) }
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<500 { logs[task % 2].info("task \(task) line \(number)") }
        }
      }
    }
    for log in logs { log.flush() }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines.map { $0.dropFirst(28) }).count == 4_000)
    #expect(logs.map(\.lostRecords) == [0, 0])
  }

  #if os(Linux)
    @Test func `if the thread of a FileLog can't start, each line is written directly`()
      async throws
    {
      // Made, and removed, by this process: the other becomes nobody, who may not do that.
      let folder = TemporaryFolder()
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      await #expect(processExitsWith: .success) { [folder = folder.path as String] in
        await ResourceLimit.forbidThreads()
        var options = FileOptions()
        // With a buffer from the first line on.
        options.firstLines = 0
        let log = try FileLog(path: "\(folder)/shop.log", level: .info, file: options)
        for number in 1...100 {
          log.info("line \(number)")
          let text = try String(contentsOfFile: "\(folder)/shop.log", encoding: .utf8)
          precondition(text.hasSuffix("line \(number)\n"), "\(text)")
          precondition(text.split(separator: "\n").count == number, "\(text)")
        }
        precondition(log.lostRecords == 0)
      }
    }
  #endif

  @Test func `FileLog.recover throws a BufferError if the log's folder can't be read`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      precondition(ResourceLimit.openFiles.set(0, most: 1_024))
      let error = #expect(throws: BufferError.self) {
        try FileLog.recover(path: folder.path("shop.log"))
      }
      ResourceLimit.openFiles.set(1_024)
      precondition(error != nil)
    }
  }

  @Test func `each call of FileLog.drainOnSignals reports the signals that can't be handled`() {
    let reports = Reports()
    Diagnostics.withInstance(reports) {
      for _ in 1...2 { FileLog.drainOnSignals([SIGKILL, 0, SIGSTOP]) }
    }
    #expect(reports.all.map(\.kind) == [.invalidSetting, .invalidSetting])
    #expect(
      reports.all.allSatisfy { $0.description.contains(" \(SIGKILL), 0, \(SIGSTOP): ") },
      "\(reports.all)")
  }

  @Test func `a FileLog that was replaced closes its file, and reopens the file for a later line`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      precondition(ResourceLimit.openFiles.set(256))
      let first = try FileLog(path: folder.path("0.log"), level: .info)
      Log.instance = first
      let analytics = try FileAnalytics(path: folder.path("events.jsonl"))
      Analytics.instance = analytics
      var early = Footprint()
      let last = 1_000
      for number in 1...last {
        if number == 500 { early = .now }
        var options = FileOptions()
        // Some with a buffer and its thread from the first line on.
        if number % 10 == 0 { options.firstLines = 0 }
        Log.instance = try FileLog(
          path: folder.path("\(number % 100).log"), level: .info, file: options)
        Analytics.instance = try FileAnalytics(path: folder.path("\(number % 100).jsonl"))
        Log.info("line \(number)")
        first.info("straggler \(number)")
        analytics.track(Event("straggler"))
      }
      precondition(first.lostRecords == 0 && analytics.lostEvents == 0)
      #if os(Linux)
        // Threads of those that were replaced may not have seen it yet.
        let isFlat = await Patience.waitIdly { Footprint.now.isWithin(early) }
        precondition(isFlat, "\(early) became \(Footprint.now)")
      #endif
      Log.instance = first
      Log.info("in force again")
      first.flush()
      let text = try String(contentsOfFile: folder.path("0.log"), encoding: .utf8)
      precondition(text.contains("straggler \(last)\n") && text.hasSuffix("in force again\n"), text)
    }
  }

  @Test func `FileLog buffers a line instead of writing it at once`() throws {
    let folder = TemporaryFolder()
    var options = FileOptions()
    options.firstLines = 0
    var isKept = false
    // A busy machine may look too late at one of them, but not at all.
    for number in 0..<10 where !isKept {
      let log = try FileLog(path: folder.path("\(number)"), level: .info, file: options)
      log.info("kept")
      // Long enough for a thread that does not wait. A suspended task might not be resumed within the
      // second after which lines are written.
      Thread.sleep(forTimeInterval: 0.1)
      isKept = try folder.text("\(number)").isEmpty
      log.flush()
      #expect(try folder.text("\(number)").hasSuffix("kept\n"))
    }
    #expect(isKept)
  }

  @Test func `creating a FileLog with an unusable path throws a FileOpenError`() throws {
    #expect(throws: FileOpenError.self) { try FileLog(path: "/proc/none/shop.log") }
    let error = #expect(throws: FileOpenError.self) { try FileLog(path: "") }
    #expect(error?.description.hasSuffix("; name a file") == true)
  }

  @Test func `FileLog does not expand a tilde in its path`() throws {
    let folder = TemporaryFolder()
    try FileLog(path: folder.path("~/~/shop.log")).info("x")
    #expect(FileManager.default.fileExists(atPath: folder.path("~/~/shop.log")))
  }

  @Test func `a FileWriter is deallocated after its end() was called`() async throws {
    let folder = TemporaryFolder()
    let path = folder.path("shop.log")
    var options = FileOptions()
    options.firstLines = 0
    weak var known: FileWriter?
    do {
      let writer = FileWriter(
        path: path, options, nil, try OpenFile.open(path, nil), Failures(source: "Test"))
      known = writer
      writer.end()
    }
    // Its thread has it until it ends.
    #expect(await Patience.waitIdly(.seconds(60)) { known == nil })
  }

  #if os(Linux)
    @Test
    func `if the disk is full, FileLog keeps buffer space for warnings and more severe lines`()
      async
    {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        Diagnostics.instance = .calling { _ in }
        let folder = TemporaryFolder()
        var options = FileOptions(whenFull: .drop)
        options.firstLines = 0
        let log = try FileLog(path: folder.path("shop.log"), level: .info, file: options)
        log.info("first")
        log.flush()
        precondition(ResourceLimit.fileSize.set(1, most: .max))
        let line = String(repeating: "x", count: 1_000)
        for _ in 0..<2_000 where log.lostRecords == 0 { log.info("\(line)") }
        let lost = log.lostRecords
        precondition(lost > 0)
        for level in [LogLevel.warning, .error, .critical] { log.log(level, "kept \(level)") }
        precondition(log.lostRecords == lost)
        for level in [LogLevel.info, .notice] { log.log(level, "\(line)") }
        precondition(log.lostRecords == lost + 2)
        precondition(ResourceLimit.fileSize.set(.max))
        log.flush()
        let text = try folder.text("shop.log")
        for level in ["warning", "error", "critical"] {
          precondition(text.contains(" kept \(level)\n"), "\(text.suffix(2_000))")
        }
      }
    }

    @Test func `if the reader of a named pipe stalls, FileLog drops and counts lines`() throws {
      let folder = TemporaryFolder()
      let path = folder.path("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      let reader = FileDescriptor(number: open(path, O_RDONLY | O_NONBLOCK))
      try Diagnostics.withInstance(.calling { _ in }) {
        let log = try FileLog(path: path)
        for _ in 0..<200 { log.info("\(String(repeating: "x", count: 1_000))") }
        #expect(log.lostRecords > 100 && log.lostRecords < 200)
      }
      reader.close()
    }

    @Test func `creating a FileLog on a named pipe without a reader throws a FileOpenError`() throws
    {
      let folder = TemporaryFolder()
      let path = folder.path("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      let error = #expect(throws: FileOpenError.self) { try FileLog(path: path) }
      #expect(error?.reason == SystemError.noReader.description)
    }

    @Test func `after a named pipe is recreated, reopen() makes FileLog write to the new pipe`()
      throws
    {
      let folder = TemporaryFolder()
      let path = folder.path("pipe")
      func makePipe() throws -> FileDescriptor {
        try #require(mkfifo(path, 0o600) == 0)
        return FileDescriptor(number: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
      }
      let first = try makePipe()
      let log = try FileLog(path: path, level: .info)
      log.info("one")
      try FileManager.default.removeItem(atPath: path)
      let second = try makePipe()
      log.reopen()
      log.info("two")
      for (pipe, word) in [(first, "one"), (second, "two")] {
        #expect(String(decoding: pipe.read(upTo: 1_000), as: UTF8.self).hasSuffix(" \(word)\n"))
        pipe.close()
      }
      #expect(log.lostRecords == 0)
    }

    @Test func `if the disk is full, FileLog counts the lost lines and reports the loss once`()
      throws
    {
      let reports = Reports()
      try Diagnostics.withInstance(reports) {
        let log = try FileLog(path: "/dev/full")
        for _ in 0..<5 { log.info("lost") }
        #expect(log.lostRecords == 5)
      }
      #expect(reports.all.map(\.kind) == [.writeFailed])
      #expect(reports.all[0].description.contains("\(SystemError(number: ENOSPC))"))
    }
  #endif
}

/// What a process has of the system.
private struct Footprint {
  var threads = 0
  var descriptors = 0
  var mappings = 0

  static var now: Footprint {
    let files = FileManager.default
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let threads = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }
    return Footprint(
      threads: threads?.split(separator: "\t").last.flatMap { Int($0) } ?? 0,
      descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0,
      mappings: lines(of: "/proc/self/maps"))
  }

  /// Read to its end: a single reading has a page of it only.
  private static func lines(of path: String) -> Int {
    let file = FileDescriptor(number: open(path, O_RDONLY | O_CLOEXEC))
    defer { file.close() }
    var (bytes, lines) = ([UInt8](repeating: 0, count: 4_096), 0)
    while case let count = read(file.number, &bytes, bytes.count), count > 0 {
      lines += bytes[..<count].count { $0 == UInt8(ascii: "\n") }
    }
    return lines
  }

  /// Whether it is no more than the other, but for a few that the system keeps for later.
  func isWithin(_ other: Footprint) -> Bool {
    other.threads > 0 && other.descriptors > 0 && other.mappings > 0
      && threads <= other.threads + 4 && descriptors <= other.descriptors + 4
      && mappings <= other.mappings + 32
  }
}
