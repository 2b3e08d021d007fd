// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Testing

/// Forms of tasks, which note the order in which they run.
enum TaskForm: String, CaseIterable, CustomTestStringConvertible {
  case group, throwingGroup, discardingGroup, nestedGroups, asyncLet, nestedAsyncLet
  case timeTask, nestedTimeTask, backgroundTask, bare, nestedBare, detached, detachedInGroup
  case actorHops, twoActors, isolatedBare, isolatedTimeTask, nestedIsolated
  case mainActor, mainActorTask, mainActorHops
  case stream, continuation, sleepers, cancellation

  var testDescription: String { rawValue }

  func run() async -> [Int] {
    let notes = Notes()
    await run(notes)
    return await notes.numbers
  }

  fileprivate actor Notes {
    private(set) var numbers: [Int] = []

    func note(_ number: Int) { numbers.append(number) }

    func work(_ number: Int) async {
      note(number)
      await pause(1)
      note(number)
    }

    func startBare(_ numbers: Range<Int>) -> [Task<Void, Never>] {
      numbers.map { number in Task { await self.work(number) } }
    }

    func startInScope(_ numbers: Range<Int>) -> [Task<Void, Never>] {
      numbers.map { number in Time.task { await self.work(number) } }
    }
  }

  @MainActor private final class Screen {
    func show(_ number: Int, _ notes: Notes) async {
      await notes.note(number)
      await pause(1)
      await notes.note(number)
    }
  }

  private static func work(_ number: Int, _ notes: Notes) async {
    for _ in 0..<2 {
      await notes.note(number)
      await pause(1)
    }
  }

  @MainActor private static func workOnMainActor(_ number: Int, _ notes: Notes) async {
    await work(number, notes)
  }

  private func run(_ notes: Notes) async {
    let work: @Sendable (Int) async -> Void = { await Self.work($0, notes) }
    switch self {
    case .group:
      await withTaskGroup { group in for number in 0..<4 { group.addTask { await work(number) } } }
    case .throwingGroup:
      await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 { group.addTask { await work(number) } }
        try? await group.waitForAll()
      }
    case .discardingGroup:
      await withDiscardingTaskGroup { group in
        for number in 0..<4 { group.addTask { await work(number) } }
      }
    case .nestedGroups:
      await withTaskGroup { group in
        for number in 0..<2 {
          group.addTask {
            await withTaskGroup { inner in
              for other in 0..<2 { inner.addTask { await work(2 * number + other) } }
            }
          }
        }
      }
    case .asyncLet:
      async let (first, second, third): (Void, Void, Void) = (work(0), work(1), work(2))
      _ = await (first, second, third)
      async let fourth: Void = work(3)
      async let fifth: Void = work(4)
      _ = await (fourth, fifth)
    case .nestedAsyncLet:
      async let first: Void = {
        async let inner: Void = work(0)
        await work(1)
        await inner
      }()
      await work(2)
      await first
    case .timeTask: await end((0..<4).map { number in Time.task { await work(number) } })
    case .nestedTimeTask:
      await end(
        (0..<2).map { number in
          Time.task {
            let inner = Time.task { await work(number) }
            await work(number + 2)
            await inner.value
          }
        })
    case .backgroundTask:
      await end((0..<4).map { number in Time.backgroundTask { await work(number) } })
    case .bare: await end((0..<4).map { number in Task { await work(number) } })
    case .nestedBare:
      await end(
        (0..<2).map { number in
          Task {
            let inner = Task { await work(number) }
            await work(number + 2)
            await inner.value
          }
        })
    case .detached: await end((0..<4).map { number in Task.detached { await work(number) } })
    case .detachedInGroup:
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask { await Task.detached { await work(number) }.value } }
      }
    case .actorHops:
      await withTaskGroup { group in
        for number in 0..<4 { group.addTask { await notes.work(number) } }
      }
    case .twoActors:
      let other = Notes()
      await withTaskGroup { group in
        for number in 0..<4 {
          group.addTask {
            await other.work(number)
            await notes.note(number)
          }
        }
      }
    case .isolatedBare: await end(notes.startBare(0..<4))
    case .isolatedTimeTask: await end(notes.startInScope(0..<4))
    case .nestedIsolated:
      let tasks = await withTaskGroup(of: [Task<Void, Never>].self) { group in
        for number in 0..<2 {
          group.addTask { await notes.startBare(2 * number..<2 * number + 2) }
        }
        return await group.reduce([], +)
      }
      await end(tasks)
    case .mainActor:
      await withTaskGroup { group in
        for number in 0..<4 { group.addTask { await Self.workOnMainActor(number, notes) } }
      }
    case .mainActorTask:
      await end((0..<3).map { number in Task { @MainActor in await work(number) } })
    case .mainActorHops:
      let screen = Screen()
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask { await screen.show(number, notes) } }
      }
    case .stream:
      let (stream, feed) = AsyncStream<Int>.makeStream()
      async let reading: Void = { for await number in stream { await notes.note(number) } }()
      await withTaskGroup { group in
        for number in 0..<4 {
          group.addTask {
            await pause(1)
            feed.yield(number)
          }
        }
      }
      feed.finish()
      await reading
    case .continuation:
      await withTaskGroup { group in
        for number in 0..<3 {
          group.addTask {
            await withCheckedContinuation { continuation in
              Time.task {
                await pause(1)
                continuation.resume()
              }
            }
            await work(number)
          }
        }
      }
    case .sleepers:
      await withTaskGroup { group in
        for number in 0..<4 {
          group.addTask {
            try? await Time.sleep(for: .seconds(1))
            await work(number)
          }
        }
      }
    case .cancellation:
      let tasks = (0..<3).map { number in
        Time.task {
          try? await Time.sleep(for: .seconds(9))
          await work(number)
        }
      }
      await pause(2)
      for task in tasks { task.cancel() }
      await end(tasks)
    }
  }

  private func end(_ tasks: [Task<Void, Never>]) async { for task in tasks { await task.value } }
}
