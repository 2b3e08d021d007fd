import Dispatch
import TestSupport
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

  /// The number of jobs that run, the most that ran at once, and those that have ended.
  private final class Jobs: Sendable {
    private let kept = Guarded((running: 0, most: 0, ended: 0))
    private let end = DispatchSemaphore(value: 0)

    var most: Int { kept.withLock(\.most) }
    var ended: Int { kept.withLock(\.ended) }

    /// Blocks its thread until it is told to end.
    func run() {
      kept.withLock { jobs in
        jobs.running += 1
        jobs.most = max(jobs.most, jobs.running)
      }
      end.wait()
      kept.withLock { jobs in
        jobs.running -= 1
        jobs.ended += 1
      }
    }

    func stop(_ count: Int) { for _ in 0..<count { end.signal() } }
  }

  @Test(arguments: [1, 2, 3, 9])
  func `has a thread for each, if all of them block`(count: Int) async {
    let (threads, jobs) = (BlockingExecutor(), Jobs())
    for _ in 0..<count { Task.detached(executorPreference: threads) { jobs.run() } }
    #expect(await Patience.waitIdly { jobs.most == count })
    jobs.stop(count)
    #expect(await Patience.waitIdly { jobs.ended == count })
  }

  @Test func `has 64 threads at most, and runs the others when those are free`() async {
    let (threads, jobs) = (BlockingExecutor(), Jobs())
    for _ in 0..<66 { Task.detached(executorPreference: threads) { jobs.run() } }
    #expect(await Patience.waitIdly { jobs.most >= 64 })
    // Another one would start after 10 ms.
    try? await Task.sleep(for: .milliseconds(100))
    #expect(jobs.most == 64)
    jobs.stop(66)
    #expect(await Patience.waitIdly { jobs.ended == 66 })
    #expect(jobs.most <= 64)
  }

  @Test func `takes jobs one after another, as often as one likes`() async {
    let (threads, ran) = (BlockingExecutor(), Timeline())
    Task {
      for _ in 0..<100 {
        await Task.detached(executorPreference: threads) { ran.note("job") }.value
      }
    }
    #expect(await Patience.waitIdly { ran.lines.count == 100 })
  }
}
