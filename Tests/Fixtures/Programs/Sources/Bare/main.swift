import Ambient
import AmbientVirtualTime
import Dispatch

// A task that blocked the scope's own thread would never let the body go on.
let mayEnd = DispatchSemaphore(value: 0)

func block() { mayEnd.wait() }

try await Time.virtual(from: "2026-11-27T00:00:00Z", limit: .seconds(5)) { _ in
  let task = Task { block() }
  await Task.yield()
  mayEnd.signal()
  await Time.hold { await task.value }
}
print("the bare task ran on the pool")
