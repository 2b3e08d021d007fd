import Ambient
import AsyncAlgorithms
import NIOCore

// A comment after a call names what the audit must report there, and nowhere else.

func operators(_ numbers: AsyncStream<Int>) -> [Any] {
  [
    numbers.debounce(for: .seconds(1)),  // debounce(for:)
    numbers.debounce(for: .seconds(1), clock: Time.clock()),
    numbers._throttle(for: .seconds(1)),  // debounce(for:)
    numbers._throttle(for: .seconds(1), clock: Time.clock()),
    AsyncTimerSequence.repeating(every: .seconds(1)),  // debounce(for:)
    AsyncTimerSequence.repeating(every: .seconds(1), clock: Time.clock()),
  ]
}

func loop(_ loop: any EventLoop, _ future: EventLoopFuture<Int>) async throws -> [Any] {
  let task = loop.scheduleTask(in: .seconds(1)) { 5 }  // scheduleTask
  return [
    task,
    NIODeadline.now(),  // NIODeadline.now()
    try await future.get(),  // EventLoopFuture.get
  ]
}

func block(_ future: EventLoopFuture<Int>) throws -> Int {
  try future.wait()  // EventLoopFuture.wait
}
