// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What else the machine does, while something is tried.
///
/// The benchmarks run the same file.
enum Load: String, CaseIterable, Sendable {
  case none
  case threads
  case threadsAndTasks

  private final class Stop: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .relaxed) }

    func spin() { while !isSet.load(ordering: .relaxed) {} }

    func spinPolitely() async { while !isSet.load(ordering: .relaxed) { await Task.yield() } }
  }

  /// Whose turn it is: several loads at once would leave the machine to them alone.
  private actor Turn {
    static let shared = Turn()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      if isTaken { return await withCheckedContinuation { waiting.append($0) } }
      isTaken = true
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  /// Runs `body` beside four threads, and four tasks, that do nothing but take time.
  func run<R>(_ body: () async throws -> R) async throws -> R {
    if self == .none { return try await body() }
    await Turn.shared.take()
    do {
      let result = try await runLoaded(body)
      await Turn.shared.giveBack()
      return result
    } catch {
      await Turn.shared.giveBack()
      throw error
    }
  }

  private func runLoaded<R>(_ body: () async throws -> R) async throws -> R {
    let stop = Stop()
    defer { stop.set() }
    for _ in 0..<4 { Thread { stop.spin() }.start() }
    if self == .threadsAndTasks {
      for _ in 0..<4 { Task.detached { await stop.spinPolitely() } }
    }
    return try await body()
  }
}
