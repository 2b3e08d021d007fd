import Foundation
import Testing

@testable import Ambient

struct `The queue of sleepers` {
  @Test func `gives up the places of the cancelled`() async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<20 {
        let tasks = (0..<100).map { _ in Time.task { try await Time.sleep(for: .seconds(60)) } }
        try await time.advance(by: .zero)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
      }
      #expect(time.sleepers.isEmpty)
      #expect(time.scheduler.withState { $0.waiting.heapCount } <= 64)
      #expect(time.scheduler.withState { $0.isWithoutTrace })
    }
  }

  @Test func `wakes a thousand in the order of their deadlines, whoever was cancelled`()
    async throws
  {
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      var random = SplitMix64(seed: 7)
      let delays = (0..<1_000).map { _ in Int.random(in: 1...200, using: &random) }
      let tasks = delays.map { timeline.sleeper("", Double($0)) }
      try await time.advance(by: .zero)
      for (index, task) in tasks.enumerated() where index % 3 == 0 { task.cancel() }
      try await time.run()
      let expected = delays.enumerated().filter { $0.offset % 3 != 0 }.map(\.element).sorted()
      #expect(
        timeline.lines.filter { !$0.hasSuffix("cancelled") } == expected.map { "\(Double($0)) " })
    }
  }
}
