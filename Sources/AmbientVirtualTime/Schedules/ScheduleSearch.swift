// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// One run of an explored body.
package struct ScheduleAttempt<Detail: Sendable>: Sendable {
  let isFailure: Bool
  let trace: ScheduleTrace
  /// The data that the caller of the search keeps about the run.
  package let detail: Detail

  package init(isFailure: Bool, _ trace: ScheduleTrace, _ detail: Detail) {
    self.isFailure = isFailure
    self.trace = trace
    self.detail = detail
  }
}

/// The result of a search.
package enum ScheduleFinding<Detail: Sendable>: Sendable {
  /// The first run has failed, or the search was cancelled in it.
  case first(Detail)
  /// No schedule has failed. The report tells of schedules that had too many jobs, if there were
  /// any.
  case none(first: Detail, report: String?)
  /// A schedule has failed. The shrunk run, of which `detail` is, can run again.
  case failed(ScheduleRun, detail: Detail, ScheduleReport)
  /// A schedule has failed, and has not done the same again, or stalled and was not run again.
  case failedOnce(detail: Detail, report: String)
}

/// Runs a body first in, first out, and then in many schedules until it fails in one. Repeats that
/// schedule, and shrinks it.
///
/// While it searches, it believes at once that suspended tasks wait for nothing outside the scope.
/// A failure counts only if it comes again without that belief. If it does not, belief ends.
package struct ScheduleSearch<Detail: Sendable>: Sendable {
  private let numbers: ScheduleNumbers
  private let shrinkingLimit: Duration
  private let attempt: @Sendable (ScheduleRun?) async -> ScheduleAttempt<Detail>

  /// - Parameters:
  ///   - numbers: The numbers of the schedules to run.
  ///   - shrinkingLimit: How long a schedule that fails is shrunk, in real time.
  ///   - attempt: Runs the body once in a schedule; nil stands for the run first in, first out.
  /// - Throws: ``ScheduleError/Code/nested`` if another search is under way around this one.
  package init(
    _ numbers: ScheduleNumbers, shrinkingLimit: Duration = .seconds(1),
    attempt: @escaping @Sendable (ScheduleRun?) async -> ScheduleAttempt<Detail>
  ) throws(ScheduleError) {
    if SearchInForce.isUnderWay { throw ScheduleError(.nested) }
    self.numbers = numbers
    self.shrinkingLimit = shrinkingLimit
    self.attempt = { run in
      // The closure is `@Sendable`, so there is no actor to stay on.
      await SearchInForce.$isUnderWay.withValue(true) { await attempt(run) }
    }
  }

  /// The number of schedules with too many jobs after which the search ends.
  private static var mostCutOff: Int { 5 }

  package func run() async -> ScheduleFinding<Detail> {
    let first = await attempt(nil)
    guard !first.isFailure, !Task.isCancelled else { return .first(first.detail) }
    let length = Int(first.trace.jobs)
    let mostJobs = UInt64(max(100_000, 100 * length))
    var (believes, searched, cutOff) = (true, 0, [Int]())
    for number in numbers.all {
      if Task.isCancelled { break }
      searched += 1
      let schedule = Schedule.numbered(number, length: length)
      let found = await attempt(
        ScheduleRun(schedule: schedule, believes: believes, mostJobs: mostJobs, isRecorded: false))
      if found.trace.isCutOff {
        cutOff.append(number)
        if cutOff.count == Self.mostCutOff, !found.isFailure { break }
      }
      guard found.isFailure, !Task.isCancelled else { continue }
      // Each run that stalls takes the limit of real time, and may block a thread of the pool.
      guard !found.trace.hasStalled else {
        return .failedOnce(detail: found.detail, report: ScheduleReport.stalled(number))
      }
      let run = ScheduleRun(
        schedule: schedule, believes: false, mostJobs: mostJobs, isRecorded: true)
      let again = await attempt(run)
      if Task.isCancelled { break }
      if !again.isFailure, found.trace.hasBelieved {
        believes = false
        continue
      }
      guard again.isFailure, again.trace.sequence == found.trace.sequence else {
        return .failedOnce(
          detail: found.detail,
          report: ScheduleReport.notRepeatable(number, found.trace, again.trace, again.isFailure))
      }
      let (shrunk, last, isLeast) = await shrink(run, again, believes: believes)
      return .failed(
        shrunk, detail: last.detail,
        ScheduleReport(
          number, passed: searched - 1 - cutOff.count { $0 != number }, last.trace,
          isLeast: isLeast))
    }
    return .none(
      first: first.detail,
      report: cutOff.isEmpty ? nil : ScheduleReport.cutOff(cutOff, of: searched, mostJobs))
  }

  /// Looks for few holds on “the running task continues” that also lead to a failure.
  ///
  /// Returns the schedule with these holds, its run without belief, and whether no hold can be left
  /// out. If the holds of `found` do not lead to a failure again, returns `run` and `found`.
  private func shrink(
    _ run: ScheduleRun, _ found: ScheduleAttempt<Detail>, believes: Bool
  ) async -> (ScheduleRun, ScheduleAttempt<Detail>, isLeast: Bool) {
    var holds = found.trace.record?.holds ?? []
    var runsLeft = 200
    let end = SystemClock.monotonic() + shrinkingLimit
    func fails(_ holds: [StepHold]) async -> Bool {
      runsLeft -= 1
      let found = await attempt(
        ScheduleRun(
          schedule: .held(holds), believes: believes, mostJobs: run.mostJobs, isRecorded: false))
      // Another run that stalls might block another thread.
      if found.trace.hasStalled { runsLeft = 0 }
      return found.isFailure && !found.trace.hasStalled
    }
    guard await fails(holds) else { return (run, found, false) }
    var size = holds.count
    var (hasShrunk, isLeast) = (false, true)
    while size > 0 {
      var start = 0
      while start < holds.count, runsLeft > 0, SystemClock.monotonic() < end {
        var fewer = holds
        fewer.removeSubrange(start..<min(start + size, holds.count))
        if await fails(fewer) {
          (holds, hasShrunk) = (fewer, true)
        } else {
          start += size
        }
      }
      if start < holds.count { isLeast = false }
      // At the end, each hold alone is tried until none can be left out.
      size = size == 1 && hasShrunk ? 1 : size / 2
      hasShrunk = false
    }
    let shrunk = ScheduleRun(
      schedule: .held(holds), believes: false, mostJobs: run.mostJobs, isRecorded: true)
    let last = await attempt(shrunk)
    guard last.isFailure, !last.trace.hasStalled, !Task.isCancelled else {
      return (run, found, false)
    }
    return (shrunk, last, isLeast)
  }
}

private enum SearchInForce {
  @TaskLocal static var isUnderWay = false
}
