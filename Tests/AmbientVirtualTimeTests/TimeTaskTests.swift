// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// A task started by `Time.task` is isolated where it is written, as a `Task` is.
struct `Actor isolation of Time tasks` {
  actor Counter {
    private(set) var count = 0

    func countLater(by number: Int) -> Task<Void, any Error> {
      Time.task {
        try await Time.sleep(for: .milliseconds(1))
        count += number
      }
    }

    func countInBackground() -> Task<Int, any Error> {
      Time.backgroundTask {
        count += 1
        return count
      }
    }
  }

  @MainActor final class Model {
    var ticks = 0

    nonisolated init() {}

    func tick() -> Task<Void, any Error> { Time.task { ticks += 1 } }
  }

  @Test func `a Time.task can use the state of the actor that starts it`() async throws {
    for time in [DefaultTime(), FixedTime(at: .distantPast)] {
      try await Time.withInstance(time) {
        let counter = Counter()
        let count = try await counter.countInBackground().value
        #expect(count == 1)
      }
    }
    try await Time.virtual(from: start) { _ in
      let counter = Counter()
      let tasks = [await counter.countLater(by: 1), await counter.countLater(by: 2)]
      for task in tasks { try await task.value }
      #expect(await counter.count == 3)
      let count = try await counter.countInBackground().value
      #expect(count == 4)
    }
  }

  @Test func `a Time.task runs on the main actor if started there or marked MainActor`()
    async throws
  {
    func check(_ model: Model) async throws {
      try await Time.hold {
        try await model.tick().value
        await Time.task { @MainActor in model.ticks += 1 }.value
      }
    }
    let model = Model()
    try await check(model)
    try await Time.virtual(from: start) { _ in try await check(model) }
    let ticks = await model.ticks
    #expect(ticks == 4)
  }
}
