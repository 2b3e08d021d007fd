// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

#if os(Linux)
  /// Makes a log while the number of a standard stream leads to a pipe. The log keeps the pipe,
  /// whatever the number leads to afterwards.
  private func onPipe(
    _ number: CInt, _ make: () -> Log
  ) throws -> (log: Log, reading: FileDescriptor) {
    let pipe = try SystemPipe()
    let saved = dup(number)
    dup2(pipe.writing.number, number)
    defer {
      dup2(saved, number)
      pipe.writing.close()
    }
    return (make(), pipe.reading)
  }
#endif

@Suite struct `Logs on standard streams` {
  @Test func `StdoutLog writes a line to a pipe at once`() throws {
    let pipe = try SystemPipe()
    let log = StdoutLog(pipe.writing)
    for number in 1...3 {
      log.info("line \(number)")
      let line = String(decoding: pipe.reading.read(upTo: 1_000), as: UTF8.self)
      #expect(line.hasSuffix(" info     line \(number)\n"))
    }
    pipe.writing.close()
    pipe.reading.close()
  }

  @Test func `StdoutLog writes a line to a terminal at once`() throws {
    let terminal = try Terminal()
    StdoutLog(terminal.program, format: LogFormat(.text, color: .never)).error("plain")
    let plain = terminal.line()
    #expect(plain.hasSuffix("Z error    plain\r\n"), "\(plain.debugDescription)")
    terminal.close()
  }

  @Test func `StdoutLog keeps long lines whole on a nonblocking terminal`() async throws {
    let terminal = try Terminal()
    let number = terminal.program.number
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    let log = StdoutLog(
      terminal.program, format: LogFormat(.text, color: .never), patience: Patience.short)
    let long = String(repeating: "x", count: 20_000)
    let read = Guarded(Data())
    let screen = terminal.screen
    let reader = Thread {
      var lines = 0
      while lines < 30 {
        let part = screen.read(upTo: 65_536)
        if part.isEmpty { return }
        lines += part.count { $0 == 0x0A }
        read.withLock { $0.append(part) }
      }
    }
    reader.start()
    await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { for _ in 0..<10 { log.info("\(long)") } } }
    }
    #expect(Patience.wait { reader.isFinished })
    let lines = String(decoding: read.withLock { $0 }, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 30 && lines.allSatisfy { $0.hasSuffix(" info     \(long)") })
    terminal.close()
  }

  @Test func `StdoutLog colors text on a terminal`() async {
    await #expect(processExitsWith: .success) {
      setenv("TERM", "xterm", 1)
      unsetenv("NO_COLOR")
      let terminal = try Terminal()
      StdoutLog(terminal.program).error("here")
      let line = terminal.line()
      #expect(line.hasSuffix("\u{1B}[31m error    \u{1B}[0mhere\r\n"), "\(line.debugDescription)")
      StdoutLog(terminal.program, format: .json).error("json")
      #expect(!terminal.screen.read(upTo: 1_000).contains(0x1B))
    }
  }

  @Test func `StdoutLog doesn't color text on a terminal if NO_COLOR is set`() async {
    await #expect(processExitsWith: .success) {
      setenv("TERM", "xterm", 1)
      setenv("NO_COLOR", "1", 1)
      try expectNoColor()
    }
  }

  @Test func `StdoutLog doesn't color text on a dumb terminal`() async {
    await #expect(processExitsWith: .success) {
      setenv("TERM", "dumb", 1)
      unsetenv("NO_COLOR")
      try expectNoColor()
    }
  }

  @Test(arguments: [
    (
      LogFormat.Color.always,
      "\u{1B}[2m2026-11-27T05:00:00.000000Z\u{1B}[0m\u{1B}[32m info     \u{1B}[0mhere\n"
    ),
    (.automatic, "2026-11-27T05:00:00.000000Z info     here\n"),
    (.never, "2026-11-27T05:00:00.000000Z info     here\n"),
  ])
  func `StdoutLog colors text on a pipe only if the format's color is always`(
    color: LogFormat.Color, shown: String
  ) throws {
    let pipe = try SystemPipe()
    try Time.freeze(at: "2026-11-27T05:00:00Z") {
      StdoutLog(pipe.writing, format: LogFormat(.text, color: color)).info("here")
    }
    #expect(String(decoding: pipe.reading.read(upTo: 1_000), as: UTF8.self) == shown)
    pipe.writing.close()
    pipe.reading.close()
  }

  @Test func `a log format's color setting overrides TERM and NO_COLOR unless it is automatic`()
    async
  {
    await #expect(processExitsWith: .success) {
      let terminal = try Terminal()
      let (colored, plain) = ("\u{1B}[31m error    \u{1B}[0mhere\r\n", "Z error    here\r\n")
      for (color, term, noColor, end) in [
        (.always, "dumb", "1", colored), (.never, "xterm", nil, plain),
        (.automatic, "xterm", "", colored),
      ] as [(LogFormat.Color, String, String?, String)] {
        setenv("TERM", term, 1)
        if let noColor { setenv("NO_COLOR", noColor, 1) } else { unsetenv("NO_COLOR") }
        StdoutLog(terminal.program, format: LogFormat(.text, color: color)).error("here")
        let line = terminal.line()
        #expect(line.hasSuffix(end), "\(color): \(line.debugDescription)")
      }
      terminal.close()
    }
  }

  @Test func `StdoutLog waits while a pipe is full, so that a slow reader gets every line`()
    async throws
  {
    let pipe = try SystemPipe()
    pipe.makeNonblocking()
    let output = Reader(pipe.reading)
    let lines = 20_000
    let lost = await onThread {
      let log = StdoutLog(pipe.writing, patience: Patience.short)
      for number in 0..<lines { log.info("line \(number)") }
      return log.lostRecords
    }
    pipe.writing.close()
    let read = await String(decoding: output.read(), as: UTF8.self).split(separator: "\n")
    #expect(read.count == lines)
    #expect(read.last?.hasSuffix("line \(lines - 1)") == true)
    #expect(lost == 0)
    pipe.reading.close()
  }

  @Test(arguments: [(true, false), (false, false), (true, true)])
  func `StdoutLog drops and counts lines while its pipe isn't read, and recovers afterwards`(
    isBlocking: Bool, reopensPipe: Bool
  ) throws {
    let pipe = try SystemPipe()
    if !isBlocking { pipe.makeNonblocking() }
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      let log = StdoutLog(
        pipe.writing, reopensPipe: reopensPipe, patience: .milliseconds(20))
      let line = String(repeating: "x", count: 1_000)
      for _ in 0..<200 { log.info("\(line)") }
      let lost = log.lostRecords
      #expect(lost > 100 && lost < 200)
      #expect(reports.all.map(\.kind) == [.writeFailed])
      var read = Data()
      try pipe.reading.read(1_030 * (200 - lost), into: &read)
      log.info("works again")
      read.append(pipe.reading.read(upTo: 65_536))
      let lines = String(decoding: read, as: UTF8.self).split(separator: "\n")
      #expect(lines.last?.hasSuffix("info     works again") == true)
      #expect(lines.dropLast().filter { $0.hasSuffix(line) }.count == 200 - lost)
      #expect(log.lostRecords == lost)
      #expect(reports.all.map(\.kind) == [.writeFailed, .recovered])
    }
    pipe.writing.close()
    pipe.reading.close()
  }

  @Test func `if a new pipe replaces the old pipe, StdoutLog uses the new and frees the old pipe`()
    throws
  {
    let pipe = try SystemPipe()
    let other = try SystemPipe()
    let log = StdoutLog(pipe.writing)
    log.info("to the first")
    dup2(other.writing.number, pipe.writing.number)
    log.info("to the second")
    #expect(String(decoding: pipe.reading.readToEnd(), as: UTF8.self).hasSuffix("to the first\n"))
    let second = String(decoding: other.reading.read(upTo: 1_000), as: UTF8.self)
    #expect(second.hasSuffix("to the second\n"))
    for end in [pipe.writing, pipe.reading, other.writing, other.reading] { end.close() }
  }

  @Test func `StdoutLog drops lines while its terminal is stopped, and recovers afterwards`() async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let terminal = try Terminal()
      Diagnostics.withInstance(Reports()) {
        let log = StdoutLog(terminal.program, patience: .milliseconds(20))
        // As Ctrl-S does.
        tcflow(terminal.program.number, TCOOFF)
        while log.lostRecords < 3 { log.info("lost") }
        tcflow(terminal.program.number, TCOON)
        log.info("works again")
        #expect(log.lostRecords == 3)
      }
      while case let line = terminal.line(), !line.hasSuffix("works again\r\n") {
        try #require(!line.isEmpty)
      }
    }
  }

  @Test func `if a pipe without a reader replaces standard output, StdoutLog counts lost lines`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      dup2(open(folder.path("out"), O_WRONLY | O_CREAT, 0o600), 1)
      let log = StdoutLog()
      let pipe = try SystemPipe()
      pipe.reading.close()
      dup2(pipe.writing.number, 1)
      Diagnostics.withInstance(Reports()) { for _ in 0..<3 { log.info("lost") } }
      #expect(log.lostRecords == 3)
    }
  }

  @Test func `if a file replaces the terminal of a StdoutLog, the log stops coloring`() async {
    await #expect(processExitsWith: .success) {
      setenv("NO_COLOR", "", 1)
      setenv("TERM", "xterm", 1)
      let (folder, terminal) = (TemporaryFolder(), try Terminal())
      let log = StdoutLog(terminal.program)
      log.error("coloured")
      #expect(terminal.line().contains("\u{1B}"))
      dup2(open(folder.path("out"), O_WRONLY | O_CREAT, 0o600), terminal.program.number)
      // The log looks at its stream once a second.
      let isPlain = try Patience.wait {
        log.error("plain")
        let line = try folder.text("out").split(separator: "\n").last
        return line?.contains("\u{1B}") == false
      }
      #expect(isPlain)
    }
  }

  /// What analytics write does not go on to a pipe that the number led to before.
  @Test func `if another pipe replaces standard output, StdoutAnalytics writes to the new pipe`()
    async
  {
    await #expect(processExitsWith: .success) {
      let (first, second) = (try SystemPipe(), try SystemPipe())
      dup2(first.writing.number, 1)
      let analytics = StdoutAnalytics()
      analytics.track(Event("one"))
      dup2(second.writing.number, 1)
      analytics.track(Event("two"))
      // Ends the wait for an event that went elsewhere.
      for pipe in [first, second] {
        try Array("end\n".utf8).withUnsafeBytes { try pipe.writing.writeAll($0) }
      }
      let texts = [first, second].map {
        String(decoding: $0.reading.read(upTo: 1_000), as: UTF8.self)
      }
      try #require(texts.count == 2)
      #expect(texts[0].contains("\"one\"") && !texts[0].contains("\"two\""), "\(texts)")
      #expect(texts[1].contains("\"two\"") && texts[1].hasSuffix("\nend\n"), "\(texts)")
      #expect(analytics.lostEvents == 0)
    }
  }

  @Test
  func `if a new pipe replaces stdout or stderr, StdoutLog or StderrLog writes to that pipe`()
    async
  {
    await #expect(processExitsWith: .success) {
      for (number, make) in [
        (1, { StdoutLog() as Log }), (2, { StderrLog() as Log }),
      ] as [(CInt, () -> Log)] {
        let (first, second) = (try SystemPipe(), try SystemPipe())
        dup2(first.writing.number, number)
        let log = make()
        dup2(second.writing.number, number)
        log.info("followed")
        // Ends the wait for a line that went elsewhere.
        try Array("end\n".utf8).withUnsafeBytes { try second.writing.writeAll($0) }
        let text = String(decoding: second.reading.read(upTo: 1_000), as: UTF8.self)
        #expect(text.hasSuffix(" info     followed\nend\n"), "\(text)")
      }
    }
  }

  #if os(Linux)
    @Test func `a StdoutLog that reopens its pipe keeps the pipe open until the log is released`()
      throws
    {
      let pipe = try SystemPipe()
      do {
        let log = StdoutLog(pipe.writing, reopensPipe: true)
        #expect(fcntl(pipe.writing.number, F_GETFL) & O_NONBLOCK == 0, "nobody else notices")
        pipe.writing.close()
        log.info("still there")
      }
      let text = String(decoding: pipe.reading.readToEnd(), as: UTF8.self)
      #expect(text.hasSuffix("info     still there\n"))
      pipe.reading.close()
    }

    @Test
    func `a log from reopeningPipe() keeps writing to its pipe if the standard stream changes`()
      async
    {
      await #expect(processExitsWith: .success) {
        for (number, make) in [
          (1, { StdoutLog.reopeningPipe() as Log }), (2, { StderrLog.reopeningPipe() as Log }),
        ] as [(CInt, () -> Log)] {
          let (log, reading) = try onPipe(number, make)
          log.info("kept")
          let line = String(decoding: reading.read(upTo: 1_000), as: UTF8.self)
          #expect(line.hasSuffix(" info     kept\n"))
        }
      }
    }

    @Test func `a log from reopeningPipe() has the given level and format`() async {
      await #expect(processExitsWith: .success) {
        for (number, make) in [
          (1, { StdoutLog.reopeningPipe(level: .error, format: .json) as Log }),
          (2, { StderrLog.reopeningPipe(level: .error, format: .json) as Log }),
        ] as [(CInt, () -> Log)] {
          let (log, reading) = try onPipe(number, make)
          log.warning("below")
          log.error("kept")
          let text = String(decoding: reading.read(upTo: 1_000), as: UTF8.self)
          #expect(text.hasPrefix("{\"time\":\"") && !text.contains("below"), "\(text)")
          #expect(text.hasSuffix("Z\",\"level\":\"error\",\"message\":\"kept\"}\n"), "\(text)")
        }
      }
    }

    @Test func `StdoutLog drops and counts lines on a socket that is not read`() throws {
      var ends: [CInt] = [0, 0]
      try #require(socketpair(AF_UNIX, streamSocket, 0, &ends) == 0)
      let (writing, reading) = (FileDescriptor(number: ends[0]), FileDescriptor(number: ends[1]))
      Diagnostics.withInstance(.calling { _ in }) {
        let log = StdoutLog(writing, patience: .milliseconds(20))
        for _ in 0..<2_000 { log.info("\(String(repeating: "x", count: 1_000))") }
        #expect(log.lostRecords > 0)
      }
      writing.close()
      reading.close()
    }
  #endif

  @Test func `a 1 MiB line of StdoutLog arrives whole although other logs write to the same pipe`()
    async throws
  {
    let pipe = try SystemPipe()
    let output = Reader(pipe.reading)
    let long = String(repeating: "x", count: 1 << 20)
    do {
      // Two logs, since what keeps lines whole must hold for all who write to the pipe.
      let logs = (0..<2).map { _ in StdoutLog(pipe.writing, patience: Patience.short) }
      await withTaskGroup { group in
        for task in 0..<3 { group.addTask { logs[task % 2].info("\(long)") } }
        group.addTask { for _ in 0..<1_000 { logs[1].info("short") } }
      }
    }
    pipe.writing.close()
    let lines = await String(decoding: output.read(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1_003)
    #expect(lines.allSatisfy { $0.hasSuffix("info     short") || $0.hasSuffix("info     \(long)") })
    pipe.reading.close()
  }

  @Test func `if its pipe has no reader, StdoutLog counts lost lines and the process continues`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let pipe = try SystemPipe()
      pipe.reading.close()
      dup2(pipe.writing.number, 1)
      let log = StdoutLog()
      Log.instance = log
      for number in 0..<10 { Log.info("line \(number)") }
      #expect(log.lostRecords == 10)
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.components(separatedBy: "Ambient: StdoutLog: ").count == 2, "\(errors)")
  }

  @Test func `if its pipe has no reader, StderrLog counts lost lines`() async {
    await #expect(processExitsWith: .success) {
      let pipe = try SystemPipe()
      pipe.reading.close()
      dup2(pipe.writing.number, 2)
      let log = StderrLog()
      Log.instance = log
      for number in 0..<10 { Log.info("line \(number)") }
      #expect(log.lostRecords == 10)
    }
  }

  @Test func `StdoutLog keeps the program's own SIGPIPE handler`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE) { _ in pipesBroken.add(1, ordering: .relaxed) }
      let pipe = try SystemPipe()
      pipe.reading.close()
      StdoutLog(pipe.writing).info("x")
      #expect(pipesBroken.load(ordering: .relaxed) == 1)
    }
  }
}

private let pipesBroken = Atomic<Int>(0)

private func expectNoColor() throws {
  let terminal = try Terminal()
  StdoutLog(terminal.program).error("here")
  #expect(!terminal.screen.read(upTo: 1_000).contains(0x1B))
  terminal.close()
}

/// Runs `body` on a thread of its own, since it waits for a pipe.
private func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

/// Reads to the end on a thread of its own, from now on.
private final class Reader: Sendable {
  private let result: AsyncStream<Data>

  init(_ descriptor: FileDescriptor) {
    let (stream, continuation) = AsyncStream<Data>.makeStream()
    result = stream
    Thread {
      continuation.yield(descriptor.readToEnd())
      continuation.finish()
    }.start()
  }

  func read() async -> Data { await result.first { _ in true } ?? Data() }
}

#if canImport(Glibc)
  private let streamSocket = CInt(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif
