// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation

/// Programs that use Swift's clocks and `Task.sleep` as libraries do, each with a log of what
/// happened and when.
enum SystemShape: String, CaseIterable {
  case sleepers, timer, debounce, throttle, retry, race, mailbox, pipeline, deadlines, detached

  /// Runs the program in virtual time, and returns its log.
  func run() async throws -> [String] {
    let log = ShapeLog()
    try await Time.virtual(from: "2026-11-27T00:00:00Z", systemClocks: true) { _ in
      try await body(log)
    }
    return log.lines
  }

  private func body(_ log: ShapeLog) async throws {
    switch self {
    case .sleepers:
      await withThrowingTaskGroup { group in
        for task in 0..<10 {
          group.addTask {
            for round in 1...5 {
              try await Task.sleep(for: .milliseconds(task % 3 * 100 + 100))
              log.note("\(task).\(round)")
            }
          }
        }
      }
    case .timer:
      let clock = ContinuousClock()
      var next = clock.now
      for round in 0..<20 {
        next += .milliseconds(250)
        try await clock.sleep(until: next)
        log.note("\(round)")
        if round % 4 == 0 { try await Task.sleep(for: .milliseconds(90)) }
      }
    case .debounce:
      let latest = Guarded<Task<Void, any Error>?>(nil)
      for number in 0..<30 {
        try await Task.sleep(for: .milliseconds(number % 4 == 3 ? 320 : 70))
        let task = Task {
          try await Task.sleep(for: .milliseconds(200))
          log.note("\(number)")
        }
        latest.withLock { last in
          last?.cancel()
          last = task
        }
      }
      try await latest.withLock { $0 }?.value
    case .throttle:
      let clock = SuspendingClock()
      var last: SuspendingClock.Instant?
      for number in 0..<40 {
        try await Task.sleep(nanoseconds: 130_000_000)
        if let last, last.duration(to: clock.now) < .milliseconds(500) { continue }
        last = clock.now
        log.note("\(number)")
      }
    case .retry:
      await withTaskGroup { group in
        for call in 0..<5 {
          group.addTask {
            for attempt in 0..<6 {
              let isLate =
                (try? await Self.limited(.milliseconds(700)) {
                  try await Task.sleep(for: .milliseconds(1_000 - attempt * 100 - call * 50))
                }) == nil
              log.note("\(call).\(attempt) \(isLate)")
              if !isLate { return }
              try? await Task.sleep(for: .milliseconds(100 << attempt))
            }
          }
        }
      }
    case .race:
      for round in 1...10 {
        let winner = try await withThrowingTaskGroup(of: Int.self) { group in
          for runner in 0..<6 {
            group.addTask {
              try await Task.sleep(for: .milliseconds(100 + (runner * round) % 4 * 10))
              return runner
            }
          }
          defer { group.cancelAll() }
          return try await group.next() ?? -1
        }
        log.note("\(winner)")
      }
    case .mailbox:
      let desk = ShapeDesk(log)
      await withThrowingTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for round in 0..<4 {
              try await Task.sleep(for: .milliseconds(50))
              try await desk.serve("\(task).\(round)")
            }
          }
        }
      }
    case .pipeline:
      let (numbers, source) = AsyncStream<Int>.makeStream()
      async let production: Void = {
        for number in 0..<20 {
          try await Task.sleep(for: .milliseconds(number % 3 * 40))
          source.yield(number)
        }
        source.finish()
      }()
      for await number in numbers {
        try await Task.sleep(for: .milliseconds(60))
        log.note("\(number)")
      }
      try await production
    case .deadlines:
      let end = Date() + 3
      async let ticks: Void = {
        while Date() < end {
          try await Task.sleep(for: .milliseconds(170))
          log.note("tick")
        }
      }()
      while Date() < end {
        try await Task.sleep(for: .milliseconds(230))
        log.note("tock")
      }
      try await ticks
    case .detached:
      let tasks = (0..<10).map { number in
        Task.detached {
          for round in 0..<3 {
            try await Task.sleep(for: .milliseconds(100))
            log.note("\(number).\(round)")
          }
        }
      }
      for task in tasks { try await task.value }
    }
  }

  /// Runs `work` with a limit, as libraries do it.
  private static func limited(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw CancellationError()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// What happened, each with its date.
private final class ShapeLog: Sendable {
  private let kept = Guarded<[String]>([])
  var lines: [String] { kept.withLock { $0 } }

  func note(_ text: String) {
    let line = "\(text) at \(Date().timeIntervalSinceReferenceDate)"
    kept.withLock { $0.append(line) }
  }
}

private actor ShapeDesk {
  private let log: ShapeLog
  private var isTaken = false

  init(_ log: ShapeLog) { self.log = log }

  func serve(_ name: String) async throws {
    while isTaken { try await Task.sleep(for: .milliseconds(5)) }
    isTaken = true
    try await Task.sleep(for: .milliseconds(20))
    isTaken = false
    log.note(name)
  }
}
