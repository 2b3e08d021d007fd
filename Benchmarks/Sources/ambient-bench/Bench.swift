// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// Measures the cases of one suite and prints a row for each.
final class Bench: Sendable {
  /// How to measure.
  enum Mode: Sendable {
    /// Times and allocations.
    case full
    /// Allocations alone: for machines whose times say nothing.
    case brief
  }

  let mode: Mode
  private let suite: String
  let json: Bool
  private let failed = Mutex<[String]>([])
  private let kept = Atomic<Int>(0)

  init(suite: String, mode: Mode, json: Bool) {
    self.suite = suite
    self.mode = mode
    self.json = json
  }

  /// What allocated more than it may, in words.
  var failures: [String] { failed.withLock { $0 } }

  /// Measures the cases beside the floor, in rounds that take each of them in turn.
  ///
  /// - Parameters:
  ///   - stage: In what state; it follows the names of the cases.
  ///   - floor: What nothing can beat. Its ratio is 1.
  ///   - cases: What is measured.
  ///   - rounds: How many rounds; the median counts.
  func measure(
    _ stage: String, floor: Case, _ cases: [Case], rounds: Int = 61
  ) async throws {
    let all = [floor] + cases
    var allocations: [Double?] = []
    for one in all { allocations.append(try await countAllocations(one)) }
    for (one, count) in zip(all, allocations) { check(one, count, stage) }
    let threads = Set(all.flatMap(\.threads)).sorted()
    var times: [[[Double]]] = []
    if mode == .full {
      times = try await time(all, threads, rounds)
    }
    if !json { print("\n" + Row.tableHead("\(suite), \(stage)")) }
    for (index, one) in all.enumerated() {
      for (column, threads) in threads.enumerated() where one.threads.contains(threads) {
        let time = times.isEmpty ? nil : median(times[index][column])
        let floor = times.isEmpty ? nil : median(times[0][column])
        let row = Row(
          suite: suite, name: json ? "\(one.name), \(stage)" : one.name, threads: threads,
          nanoseconds: time, ratio: time.flatMap { time in floor.map { time / $0 } },
          allocations: allocations[index])
        print(json ? row.json : row.tableLine)
      }
    }
  }

  private func check(_ one: Case, _ allocations: Double?, _ stage: String) {
    guard let allocations, allocations > one.allowance + 0.001 else { return }
    failed.withLock {
      $0.append(
        "\(suite): \(one.name), \(stage): \(allocations) allocations a call, allowed are "
          + "\(one.allowance)")
    }
  }

  /// Blocks a call; what a round costs beside its calls is taken off.
  private func countAllocations(_ one: Case) async throws -> Double? {
    let calls = one.calls ?? 1_000
    _ = try await one.work(calls)
    var least: Int?
    // The counter is the process's: the least of three leaves out what the runtime allocates.
    for _ in 0..<3 {
      let idle = try await Allocations.count { try await self.keep(one.work(0)) }
      let busy = try await Allocations.count { try await self.keep(one.work(calls)) }
      guard let idle, let busy else { return nil }
      least = min(least ?? .max, max(busy - idle, 0))
    }
    return least.map { Double($0) / Double(calls) }
  }

  /// Nanoseconds a call, by case, number of threads and round.
  private func time(
    _ cases: [Case], _ threads: [Int], _ rounds: Int
  ) async throws -> [[[Double]]] {
    var times = cases.map { _ in threads.map { _ in [Double]() } }
    var calls: [Int] = []
    for one in cases {
      if let count = one.calls {
        calls.append(count)
      } else {
        calls.append(try await callsOfARound(one))
      }
    }
    for _ in 0..<rounds {
      for (index, one) in cases.enumerated() {
        for (column, threads) in threads.enumerated()
        where one.threads.contains(threads) || index == 0 {
          if let time = try await round(one, threads, calls[index]) {
            times[index][column].append(time)
          }
        }
      }
    }
    return times
  }

  /// How many calls last half a millisecond: too short to be interrupted often.
  private func callsOfARound(_ one: Case) async throws -> Int {
    var calls = 1
    while calls < 1 << 24 {
      let time = try await run(one, calls).nanoseconds
      if time > 250_000 { return max(Int(Double(calls) * 500_000 / time), 1) }
      calls *= 2
    }
    return calls
  }

  /// Nanoseconds a call: the mean of the threads' own, or `nil` if they never overlapped.
  ///
  /// Threads that took turns on one processor would say that sharing costs nothing, so such a
  /// round is tried again, a few times.
  private func round(_ one: Case, _ threads: Int, _ calls: Int) async throws -> Double? {
    if threads == 1 { return try await run(one, calls).nanoseconds / Double(calls) }
    for _ in 0..<20 {
      let spans = try await runTogether(one, threads, calls)
      if Span.overlap(spans) > 0.7 {
        return spans.reduce(0) { $0 + $1.nanoseconds } / Double(threads * calls)
      }
    }
    return nil
  }

  private func runTogether(_ one: Case, _ threads: Int, _ calls: Int) async throws -> [Span] {
    let gate = Gate(threads)
    return try await withThrowingTaskGroup(of: Span.self) { group in
      for _ in 0..<threads {
        group.addTask {
          gate.pass()
          return try await self.run(one, calls)
        }
      }
      return try await group.reduce(into: [Span]()) { $0.append($1) }
    }
  }

  private func run(_ one: Case, _ calls: Int) async throws -> Span {
    let start = ContinuousClock.now
    keep(try await one.work(calls))
    return Span(start: start, end: ContinuousClock.now)
  }

  private func keep(_ value: Int) { kept.wrappingAdd(value, ordering: .relaxed) }
}

func median(_ values: [Double]) -> Double? {
  let sorted = values.sorted()
  return sorted.isEmpty ? nil : sorted[sorted.count / 2]
}
