import Ambient
import Testing

@Suite struct `A guarded value` {
  @Test func `is changed by one thread at a time`() async {
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask { for _ in 0..<2_000 { counts.count(task) } }
      }
    }
    #expect(counts.all == [2_000, 2_000, 2_000, 2_000])
  }

  @Test func `is released when the body throws`() {
    struct Refused: Error {}
    let value = Guarded(0)
    #expect(throws: Refused.self) { try value.withLock { _ in throw Refused() } }
    #expect(value.withLock { $0 } == 0)
  }

  private final class Counts: Sendable {
    private let guarded = Guarded([0, 0, 0, 0])
    var all: [Int] { guarded.withLock { $0 } }
    func count(_ task: Int) { guarded.withLock { $0[task] += 1 } }
  }
}
