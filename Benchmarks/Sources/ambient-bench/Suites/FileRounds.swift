// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

extension Bench {
  /// Measures ways to write lines to a file, in rounds that take each of them in turn: by the wall
  /// clock and by the processor time of all threads, the last drain included.
  func measure(
    files cases: [FileCase], threads: Int, suite: String = "file-log", rounds: Int = 9
  ) async throws {
    let lines = mode == .full ? 100_000 : 2_000
    var times = cases.map { _ in (wall: [Double](), processor: [Double]()) }
    for _ in 0..<(mode == .full ? rounds : 1) {
      for (index, one) in cases.enumerated() {
        let (wall, processor) = try await time(one, threads, lines)
        times[index].wall.append(wall)
        times[index].processor.append(processor)
      }
    }
    var allocations: [Double?] = []
    for one in cases { allocations.append(try await self.allocations(one)) }
    show(suite, cases, times.map { ($0.wall, "") }, threads, allocations)
    show(suite, cases, times.map { ($0.processor, ", processor time") }, threads, allocations)
  }

  /// Nanoseconds a line, with all threads together.
  private func time(
    _ one: FileCase, _ threads: Int, _ lines: Int
  ) async throws -> (wall: Double, processor: Double) {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).log").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let target: any LineTarget
    switch one.way {
    case .program(let program, let word): return try program.run(path, word, threads, lines)
    case .target(let make): target = try make(path)
    }
    // What is made at the first lines is no line's.
    for number in 0..<1_000 { target.put(number) }
    target.finish()
    let (start, used) = (ContinuousClock.now, processorTime())
    run(threads) { _ in for number in 0..<lines / threads { target.put(number) } }
    target.finish()
    let wall = (ContinuousClock.now - start) / .nanoseconds(1)
    let processor = processorTime() - used
    await target.end()
    return (wall / Double(lines), processor / Double(lines))
  }

  private func allocations(_ one: FileCase) async throws -> Double? {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).log").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard case .target(let make) = one.way else { return nil }
    defer { unlink(path) }
    let target = try make(path)
    for number in 0..<1_000 { target.put(number) }
    let blocks = await Allocations.count {
      for number in 0..<1_000 { target.put(number) }
    }
    await target.end()
    return blocks.map { Double($0) / 1_000 }
  }

  private func show(
    _ suite: String, _ cases: [FileCase], _ times: [([Double], String)], _ threads: Int,
    _ allocations: [Double?]
  ) {
    let stage = times.first?.1 ?? ""
    if !json { print("\n" + Row.tableHead("\(suite)\(stage)")) }
    let floor = median(times[0].0)
    for (index, one) in cases.enumerated() {
      let time = median(times[index].0)
      let row = Row(
        suite: suite, name: one.name + stage, threads: threads, nanoseconds: time,
        ratio: time.flatMap { time in floor.map { time / $0 } }, allocations: allocations[index])
      print(json ? row.json : row.tableLine)
    }
  }

  /// Measures how long single calls last, from the usual to the longest, beside spdlog's.
  ///
  /// Each figure is the median of rounds that take the two in turn: which calls wait depends on how
  /// the scheduler lets the threads of a round meet.
  func measureCalls(threads: Int, _ spdlog: SpdlogProgram?, rounds: Int = 9) throws {
    let lines = mode == .full ? 400_000 : 4_000
    let parts = [("half", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("all", 1)]
    var (ours, theirs) = ([[Double]](), [[Double]]())
    for _ in 0..<(mode == .full ? rounds : 1) {
      let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).log").path
      defer { unlink(path) }
      let times = try callTimes(path, threads, lines)
      ours.append(parts.map { times[min(Int(Double(times.count) * $0.1), times.count - 1)] })
      guard let spdlog else { continue }
      defer { unlink(path + ".spdlog") }
      theirs.append(try spdlog.calls(path + ".spdlog", threads, lines))
    }
    if !json {
      print("\n" + Row.tableHead("file-log, one call, with two readings of a clock, × spdlog"))
    }
    for (index, (name, _)) in parts.enumerated() {
      let (time, other) = (median(ours.map { $0[index] }), median(theirs.map { $0[index] }))
      let row = Row(
        suite: "file-log", name: "\(name) of the calls are faster", threads: threads,
        nanoseconds: time, ratio: time.flatMap { time in other.map { time / $0 } }, allocations: nil
      )
      print(json ? row.json : row.tableLine)
    }
  }

  /// The sorted nanoseconds of so many calls, by so many threads at once.
  private func callTimes(_ path: String, _ threads: Int, _ lines: Int) throws -> [Double] {
    let target = try LoggedFile(path: path) { logOrder($0) }
    for number in 0..<1_000 { target.put(number) }
    let all = Mutex<[Double]>([])
    run(threads) { _ in
      var times: [Double] = []
      times.reserveCapacity(lines / threads)
      for number in 0..<lines / threads {
        let start = ContinuousClock.now
        target.put(number)
        times.append((ContinuousClock.now - start) / .nanoseconds(1))
      }
      all.withLock { $0 += times }
    }
    target.finish()
    return all.withLock { $0.sorted() }
  }
}

/// Calls `body` on so many threads at once, which may be more than there are processors.
private func run(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for thread in 0..<threads {
    Thread.detachNewThread {
      body(thread)
      ended.signal()
    }
  }
  for _ in 0..<threads { ended.wait() }
}

/// Nanoseconds that all threads of the process have used of the processors.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
