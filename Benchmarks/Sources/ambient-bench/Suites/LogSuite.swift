// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

extension Suite {
  /// A call of the log that is off, one that formats into memory, and one that writes.
  static let log = Suite(
    name: "log", abstract: "logging: calls that are off, formatting, and standard output"
  ) { bench in
    await reportLateAssignment()
    try await measureDisabledCalls(bench, "before any scope")
    try await measureFormatting(bench)
    try await measureValues(bench)
    try await measureNames(bench)
    let file = try TemporaryFile()
    try await measureOutput(bench, "standard output to a file", file.descriptor) {}
    let pipe = try RoomyPipe()
    try await measureOutput(
      bench, "standard output to a pipe", pipe.writing, { pipe.drain() },
      more: { logging in
        let log = withOutput(pipe.writing) { StdoutLog.reopeningPipe() }
        return [logging("StdoutLog, text, that reopens the pipe", log)]
      })
    // Last, since nothing can undo that a scope was opened.
    try await measureScopedValues(bench)
    let scope = Log.withInstance(NoLog()) { AmbientScope.capture() }
    try await measureDisabledCalls(bench, "while a scope with a higher level is alive")
    withExtendedLifetime(scope) {}
  }
}

/// Assigns the log after a read, as each round does, and waits for the report: that is made once,
/// on a thread of its own, and its allocations are none of a case's.
func reportLateAssignment() async {
  let (reports, report) = AsyncStream<Void>.makeStream()
  Diagnostics.instance = .calling { _ in report.yield() }
  _ = Log.instance
  Log.instance = NoLog()
  for await _ in reports { break }
}

/// Three shifts, each of which waits for the one before: the compiler can neither leave the loop
/// out nor do several turns at once.
@inline(__always)
private func next(_ value: Int) -> Int {
  var value = value | 1
  value ^= value << 13
  value ^= value >> 7
  value ^= value << 17
  return value
}

private func measureDisabledCalls(_ bench: Bench, _ stage: String) async throws {
  Log.instance = LogRecorder(level: .info)
  let floor = Case("an empty loop") { count in carry(count) { next($0) } }
  let call = Case("a call that is off") { count in
    carry(count) { value in
      Log.debug("order \(value) placed by somebody", ["total": value, "currency": "EUR"])
      return next(value)
    }
  }
  try await bench.measure(stage, floor: floor, [call])
}

private func measureFormatting(_ bench: Bench) async throws {
  let line = [UInt8](repeating: UInt8(ascii: "x"), count: 133)
  let floor = Case("copying 133 bytes into 64 KiB, then a write", threads: [1]) { count in
    let buffer = LineBlock()
    for _ in 0..<count { line.withUnsafeBytes { buffer.append($0) } }
    return count
  }
  try await bench.measure(
    "into memory", floor: floor,
    [
      logging("text, 133 bytes", .text) { logOrder($0) },
      logging("JSON, the same", .json) { logOrder($0) },
      logging("logfmt, the same", .logfmt) { logOrder($0) },
      logging("text, a number rounded and a private value", .text) { value in
        Log.info(
          "order \(value) for \(Double(value), format: .fixed(2)), \(value, privacy: .private)")
      },
    ])
  Log.instance = BlockLog(.text)
}

/// 133 bytes as text: a timestamp, a level, and a message with a string and an integer.
@inline(never)
func logOrder(_ value: Int) {
  Log.info(
    "order \(100_000 + value % 1_000) placed by \(customer) with a message long enough for a line of 133 bytes"
  )
}

let customer = "a customer of ours"

/// A case that logs into memory.
func logging(
  _ name: String, _ format: LogFormat, _ call: @escaping @Sendable (Int) -> Void
) -> Case {
  let log = BlockLog(format)
  return Case(name) { count in
    use(log)
    for value in 0..<count { call(value) }
    return count
  }
}

private func measureOutput(
  _ bench: Bench, _ stage: String, _ descriptor: Int32, _ drain: @escaping @Sendable () -> Void,
  more: ((String, Log) -> Case) -> [Case] = { _ in [] }
) async throws {
  func writing(_ name: String, _ call: @escaping @Sendable (Int) -> Void) -> Case {
    Case(name, calls: 400) { count in
      drain()
      return withOutput(descriptor) {
        for value in 0..<count { call(value) }
        return count
      }
    }
  }
  func logging(_ name: String, _ log: Log) -> Case {
    Case(name, calls: 400) { count in
      drain()
      return withOutput(descriptor) {
        use(log)
        for value in 0..<count { logOrder(value) }
        return count
      }
    }
  }
  let line = [UInt8](repeating: UInt8(ascii: "x"), count: 132) + [UInt8(ascii: "\n")]
  let write: @Sendable (Int) -> Void = { _ in
    line.withUnsafeBytes { _ = Foundation.write(1, $0.baseAddress, $0.count) }
  }
  try await bench.measure(
    stage, floor: writing("one write a line", write),
    [
      writing("reading the clock, then one write") { value in
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        write(value &+ time.tv_nsec)
      },
      logging("StdoutLog, text", withOutput(descriptor) { StdoutLog() }),
      logging("StdoutLog, JSON", withOutput(descriptor) { StdoutLog(format: .json) }),
    ] + more(logging), rounds: 151)
}

/// Puts the log to use, unless it is: what a replaced one leaves behind would count as a call's.
func use(_ log: Log) {
  if Log.instance !== log { Log.instance = log }
}

/// Runs `body` where standard output is that file.
private func withOutput<R>(_ descriptor: Int32, _ body: () -> R) -> R {
  fflush(nil)
  let kept = dup(1)
  dup2(descriptor, 1)
  defer {
    dup2(kept, 1)
    close(kept)
  }
  return body()
}
