import Testing

@testable import Ambient

@Suite struct `An executor for jobs that block` {
  @Test func `takes jobs in the order in which they came`() async {
    var isInOrder = false
    // Not each time: after 10 ms a second thread helps, and two note what they did in either order.
    for _ in 0..<20 where !isInOrder {
      let (threads, timeline) = (BlockingExecutor(), Timeline())
      let names = (0..<100).map { "\($0)" }
      // On the only thread, so that all wait before the first of them begins.
      let first = Task(executorPreference: threads) {
        names.map { name in
          Task.detached(executorPreference: threads) { timeline.note(name) }
        }
      }
      for task in await first.value { await task.value }
      isInOrder = timeline.lines == names
    }
    #expect(isInOrder)
  }
}
