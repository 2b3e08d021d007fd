// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation

@testable import AmbientVirtualTime

/// A scope's state that no scheduler runs: a test takes its steps, and its wake-ups, one by one.
struct SteppedScope {
  static let place = SourcePlace(fileID: "Tests/Stepped.swift", line: 7)
  static let start = Date(timeIntervalSinceReferenceDate: 0)

  var state: VirtualState
  let parked: ParkedJobs
  let waits: Waits
  /// The last question that the pool and the main queue were asked.
  private var question: UInt64 = 0

  /// Ten wake-ups without progress are too many, and four in which nothing happens at all.
  private init(_ advances: VirtualTime.Advances, _ parked: ParkedJobs, _ waits: Waits) {
    state = VirtualState(
      origin: Self.start, advances, limit: .milliseconds(500), patience: .milliseconds(200))
    state.open(at: Self.place, AsyncStream<ScopeFinding>.makeStream().continuation)
    (self.parked, self.waits) = (parked, waits)
  }

  static func with(
    _ advances: VirtualTime.Advances = .byItself, _ body: (inout SteppedScope) throws -> Void
  ) async throws {
    let parked = ParkedJobs()
    defer { parked.run() }
    try await Waits.with { waits in
      var scope = SteppedScope(advances, parked, waits)
      try body(&scope)
    }
  }

  func job(_ place: VirtualJob.Place = .scope) -> VirtualJob {
    VirtualJob(job: parked.park(), place: place)
  }

  @discardableResult
  mutating func take(
    _ job: VirtualJob, isBare: Bool = false, _ origin: JobOrigin = .own, isInTurn: Bool = false
  ) -> Bool {
    state.take(job, isBare: isBare, origin, isInTurn: isInTurn)
  }

  /// The first job of a child of the scope, or of the body, child 0.
  mutating func begin(_ child: UInt64 = 0) -> VirtualJob {
    let job = self.job()
    take(job, .start(child))
    return job
  }

  /// The turn of a thread that is not this one, and has the kernel's number 7.
  mutating func takeTurn() { state.takeTurn(1, number: 7) }

  /// Stores a sleeper, and returns the number of its wait.
  @discardableResult
  mutating func sleep(
    _ seconds: Int, of task: UInt64 = 0, isLimit: Bool = false, releasesHold: Bool = false,
    isBackground: Bool = false
  ) -> VirtualState.Wait {
    let wait = state.beginWait(of: task)
    _ = state.sleep(
      wait, until: state.now.plus(.seconds(seconds)), isLimit: isLimit, caller: Self.place,
      task: (task, nil), releasesHold: releasesHold, isBackground: isBackground, waits.time)
    return wait
  }

  /// Stores the request of an advance, and returns the number of its wait.
  @discardableResult
  mutating func request(
    _ goal: VirtualRequest.Goal, sleepers: Int = 0, releasesHold: Bool = false
  ) -> VirtualState.Wait {
    let wait = state.beginWait(of: 0)
    _ = state.request(
      goal, sleepers: sleepers, wait, caller: Self.place, releasesHold: releasesHold, waits.time)
    return wait
  }

  mutating func awaitBody(mayLeave: Bool = true) {
    _ = state.awaitBody(ScopeBody.Opener(awaiter: waits.opener, cancel: {}, mayLeave: mayLeave))
  }

  mutating func awaitEnd() { state.awaitEnd(waits.end) }

  /// The name of the drainer's next step.
  mutating func step() -> String {
    switch state.next() {
    case nil: "none"
    case .run(let job, let left): "run \(job.task)\(left == nil ? "" : ", which left")"
    case .resume(_, .success(let result)): "resume \(result)"
    case .resume(_, .failure(let error)): "throw \(type(of: error))"
    case .cancel(let waits, let background): "cancel \(waits.calls.count) \(background.count)"
    case .endSleep(_, let polls): "end sleep\(polls == nil ? "" : ", which polls")"
    case .end(_, let adopted): "end \(adopted.sorted())"
    case .giveUp(_, let cancel): "give up \(cancel.count)"
    case .leave: "leave"
    case .giveWay: "give way"
    }
  }

  mutating func steps(_ count: Int) -> [String] { (0..<count).map { _ in step() } }

  /// The names of the findings at so many wake-ups, before each of which the pool and the main
  /// queue have answered.
  mutating func ticks(_ count: Int) -> [String] {
    (0..<count).map { _ in tick(main: true) }
  }

  /// The name of the finding at a wake-up, before which the pool has answered, and the main queue
  /// if `main` says so.
  mutating func tick(main: Bool) -> String {
    _ = state.poolAnswered(question)
    if main { _ = state.mainQueueAnswered(question) }
    return tick()
  }

  /// The name of the finding at a wake-up.
  mutating func tick() -> String {
    switch state.tick(waited: nil, timesServed: (0, 0)) {
    case nil: return "-"
    case .ask(let pool, let main):
      question = max(pool ?? 0, main ?? 0)
      return "ask"
    case .endless: return "endless"
    case .unsatisfied(let error, _): return "unsatisfied: \(Self.name(error()))"
    case .passToLimit: return "pass to limit"
    case .over(let error, let cancel): return "\(Self.name(error())), cancels \(cancel.count)"
    case .leave(let left):
      return """
        leave\(left.opener == nil ? "" : " opener")\(left.ending == nil ? "" : " end") \
        \(left.waits.calls.count) \(left.adopted.sorted())
        """
    }
  }

  private static func name(_ error: VirtualTimeError) -> String {
    switch error.code {
    case .deadlock: "deadlock"
    case .stalled: "stalled"
    case .missingSleepers: "missing sleepers"
    default: "\(error)"
    }
  }
}

/// The first jobs of tasks that do nothing, which are real, and not run before the test has ended.
final class ParkedJobs: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func park(isCancelled: Bool = false) -> UnownedJob {
    let task = Task(executorPreference: self) {}
    if isCancelled { task.cancel() }
    return jobs.withLock { $0[$0.count - 1] }
  }

  func run() {
    for job in jobs.withLock({ $0 }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// The continuations of tasks that wait until the test has ended.
struct Waits {
  let time: CheckedContinuation<Bool, any Error>
  let opener: CheckedContinuation<Bool, Never>
  let end: CheckedContinuation<Void, Never>

  static func with(_ body: (Waits) throws -> Void) async throws {
    let (times, giveTime) = AsyncStream<CheckedContinuation<Bool, any Error>>.makeStream()
    let (openers, giveOpener) = AsyncStream<CheckedContinuation<Bool, Never>>.makeStream()
    let (ends, giveEnd) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    async let time = withCheckedThrowingContinuation { giveTime.yield($0) }
    async let opener = withCheckedContinuation { giveOpener.yield($0) }
    async let end: Void = withCheckedContinuation { giveEnd.yield($0) }
    var result: Result<Void, any Error>?
    if let time = await times.first(where: { _ in true }),
      let opener = await openers.first(where: { _ in true }),
      let end = await ends.first(where: { _ in true })
    {
      result = Result { try body(Waits(time: time, opener: opener, end: end)) }
      time.resume(returning: true)
      opener.resume(returning: true)
      end.resume()
    }
    _ = try await (time, opener, end)
    try result?.get()
  }
}
