#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What somebody asked of virtual time, and waits for.
struct VirtualRequest {
  enum Goal {
    /// Nothing but that all in the scope are suspended.
    case settle
    /// One sleeper, the next one, is woken.
    case step
    /// Time has passed by a duration, each sleeper seeing its own due time.
    case advance(Duration)
    /// The wall shows a date, each sleeper having seen its own due time.
    case reach(Date)
    /// Time has passed by a duration at once, and sleepers wake late.
    case jump(Duration)
    /// Nothing but background tasks sleeps any more, after at most so many wakes.
    case exhaust(Int)
  }

  let id: UInt64
  /// Who asked.
  let caller: SourcePlace
  var goal: Goal
  /// How many must sleep before each step, and at the end.
  let sleepers: Int
  /// Whether waiting let go of a hold, to be taken up again at the end.
  let releasedHold: Bool
  /// When it was asked for.
  let start: Duration
  let continuation: CheckedContinuation<Bool, any Error>
  /// The monotonic time at which the request is done, once its turn has come.
  var target: Duration?
  var firings = 0
}

extension VirtualState {
  /// The next step of the first request; `nil` if it has to wait for sleepers.
  mutating func requestStep() -> Step? {
    let request = requests[0]
    guard sleepers.count >= request.sleepers else { return nil }
    switch request.goal {
    case .settle: return answer(.success(true))
    case .step:
      requests[0].goal = .settle
      return wakeNext() ?? answer(.success(false))
    case .exhaust(let limit):
      guard sleepers.count > sleepers.backgroundCount else { return answer(.success(true)) }
      guard request.firings < limit else {
        let error = VirtualTimeError.endless(firings: limit, sleepers: sleepers.sleepers)
        return answer(.failure(error))
      }
      requests[0].firings += 1
      return wakeNext()
    case .advance(let duration): return advance(to: request.target ?? now + duration)
    case .jump(let duration):
      if request.target == nil { pass(to: now + duration) }
      return advance(to: request.target ?? now)
    case .reach(let date):
      let target = request.target ?? uptime(at: date)
      guard target >= now else {
        return answer(.failure(VirtualTimeError.backwards(from: wall(at: now), to: date)))
      }
      return advance(to: target)
    }
  }

  private mutating func advance(to target: Duration) -> Step? {
    requests[0].target = target
    if let deadline = sleepers.earliest(), deadline <= target { return wakeNext() }
    pass(to: target)
    return answer(.success(true))
  }

  private mutating func answer(_ result: Result<Bool, any Error>) -> Step {
    .answer(takeRequest().continuation, result)
  }

  /// Takes the first request out, to be answered.
  mutating func takeRequest() -> VirtualRequest {
    let request = requests.removeFirst()
    if request.releasedHold { holds += 1 }
    era += 1
    return request
  }
}
