/// What becomes of elements that come too soon; the raw value names the task that waits.
enum Pace: String, Sendable {
  case quiet = "debounce"
  case latestOfInterval = "throttle"
  case firstOfInterval = "throttle, first"
}

/// Hands elements on at a slower pace: what one loop over a ``PacedSequence`` knows.
///
/// An actor, so that elements stay in order. One timer task at most is alive. It is not started
/// anew when a deadline moves: it wakes at the old one, sees the new one and sleeps again, so that
/// a thousand elements in a row cost no thousand tasks.
actor Pacer<Element: Sendable> {
  private let time: Time
  private let interval: Duration
  private let pace: Pace
  private let caller: SourcePlace
  private let output: AsyncThrowingStream<Element, any Error>.Continuation
  /// The element that waits, and until when.
  private var pending: (element: Element, deadline: Duration)?
  /// When the interval of the last element that was handed on ends.
  private var intervalEnd: Duration?
  private var timer: Task<Void, any Error>?

  init(
    time: Time, interval: Duration, pace: Pace, _ caller: SourcePlace,
    _ output: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    self.time = time
    self.interval = interval
    self.pace = pace
    self.caller = caller
    self.output = output
  }

  /// Iterates over the base to its end.
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
    // What is due now was in time, though the timer wakes after whoever sent this one.
    if let pending, pending.deadline <= now { handOnPending() }
    let deadline = pace == .quiet ? now.plus(interval) : intervalEnd ?? now
    if deadline <= now {
      output.yield(element)
      intervalEnd = now.plus(interval)
    } else if pace != .firstOfInterval {
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
    Time.task(name: pace.rawValue, fileID: caller.fileID, line: caller.line) {
      do {
        while let deadline = self.nextDeadline() {
          try await self.time.sleep(untilUptime: deadline, tolerance: nil, caller: self.caller)
        }
      } catch {
        // Cancelled after the end of the base, which is too late to say; else time stands still.
        self.output.finish(throwing: error)
      }
    }
  }

  /// Hands on what is due, and returns until when the timer sleeps; `nil` ends it.
  private func nextDeadline() -> Duration? {
    if let pending, pending.deadline > time.uptime { return pending.deadline }
    handOnPending()
    timer = nil
    return nil
  }
}
