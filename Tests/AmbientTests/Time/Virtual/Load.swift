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

  /// Runs `body` beside four threads, and four tasks, that do nothing but take time.
  func run<R>(_ body: () async throws -> R) async throws -> R {
    let stop = Stop()
    defer { stop.set() }
    if self != .none {
      for _ in 0..<4 { Thread { stop.spin() }.start() }
    }
    if self == .threadsAndTasks {
      for _ in 0..<4 { Task.detached { await stop.spinPolitely() } }
    }
    return try await body()
  }
}
