/// The treatment of elements that come too soon; the raw value is the name of the limiter's tasks.
enum RateLimit: String, Sendable {
  case quiet = "debounce"
  case latestOfInterval = "throttle"
  case firstOfInterval = "throttle, first"
}

/// The state of one loop over a ``RateLimitedSequence``, which passes elements on at a slower pace.
///
/// It is an actor, so that elements stay in order. At most one timer task is alive. A moved
/// deadline does not restart the task. The task wakes at the old deadline, sees the new deadline
/// and sleeps again, so that a thousand elements in a row do not cost a thousand tasks.
actor RateLimiter<Element: Sendable> {
  private let time: Time
  private let interval: Duration
  private let limit: RateLimit
  private let caller: SourcePlace
  private let output: AsyncThrowingStream<Element, any Error>.Continuation
  /// The waiting element and its deadline.
  private var pending: (element: Element, deadline: Duration)?
  /// The end of the interval after the last element that was passed on. The interval began at the
  /// deadline of that element if the element was pending, and otherwise when it was passed on.
  private var intervalEnd: Duration?
  private var timer: Task<Void, any Error>?

  init(
    time: Time, interval: Duration, limit: RateLimit, _ caller: SourcePlace,
    _ output: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    self.time = time
    self.interval = interval
    self.limit = limit
    self.caller = caller
    self.output = output
  }

  /// Iterates over `base` to its end, and calls `take` with each element.
  @concurrent
  nonisolated func run<Base: AsyncSequence & Sendable>(_ base: Base) async
  where Base.Element == Element {
    do {
      for try await element in base { await take(element) }
      await finish(throwing: nil)
    } catch {
      await finish(throwing: error)
    }
  }

  private func take(_ element: Element) {
    let now = time.uptime
    // Pass on a pending element that is due. The timer usually does this, but if it wakes at the
    // same instant as the task that sends the new element, the timer may run second.
    if let pending, pending.deadline <= now { handOnPending() }
    let deadline = limit == .quiet ? now.plus(interval) : intervalEnd ?? now
    if deadline <= now {
      output.yield(element)
      intervalEnd = now.plus(interval)
    } else if limit != .firstOfInterval {
      pending = (element, deadline)
      if timer == nil { timer = startTimer() }
    }
  }

  private func handOnPending() {
    guard let last = pending else { return }
    pending = nil
    intervalEnd = last.deadline.plus(interval)
    output.yield(last.element)
  }

  private func finish(throwing error: (any Error)?) {
    if error == nil { handOnPending() }
    output.finish(throwing: error)
    timer?.cancel()
  }

  private func startTimer() -> Task<Void, any Error> {
    Time.task(name: limit.rawValue, fileID: caller.fileID, line: caller.line) {
      do {
        while let deadline = self.nextDeadline() {
          try await self.time.sleep(untilUptime: deadline, tolerance: nil, caller: self.caller)
        }
      } catch {
        // The sleep threw an error, for example because time is frozen. If the sleep threw because
        // `finish` cancelled this task, the output is already finished, and the next line has no
        // effect.
        self.output.finish(throwing: error)
      }
    }
  }

  /// Passes a due element on; returns the deadline of the timer's next sleep, or `nil` to end the
  /// timer.
  private func nextDeadline() -> Duration? {
    if let pending, pending.deadline > time.uptime { return pending.deadline }
    handOnPending()
    timer = nil
    return nil
  }
}
