// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import Dispatch

/// The waiting reports of late assignments, and the thread that writes them.
enum LateAssignmentReports {
  private struct Report: Sendable {
    let number: Int
    let assignment: LateAssignment
    let diagnostics: Diagnostics
  }

  private struct State {
    var waiting: ArraySlice<Report> = []
    var last: Int
    /// Whether a report was taken from `waiting`, and is not written yet.
    var isWriting = false
    var hasThread = false
    private var forks = Forks.count

    /// In a fork, drops the waiting reports, because the parent's thread writes them.
    mutating func startAnewInFork() {
      guard forks != Forks.known else { return }
      self = State(last: last)
    }

    init(last: Int = 0) { self.last = last }
  }

  private static let state = Guarded(State())
  /// The semaphore that `add` signals once for each report.
  private static let work = DispatchSemaphore(value: 0)
  private static let exitRequest = ExitRequest()
  private static let waitsAtExit: Void = {
    atexit { if LateAssignmentReports.exitRequest.isOwn { LateAssignmentReports.finish() } }
  }()

  /// True on the thread that writes the reports.
  @TaskLocal private static var isWriter = false

  static func add(_ assignment: LateAssignment, to diagnostics: Diagnostics) {
    exitRequest.make()
    _ = waitsAtExit
    let needsThread = state.withLock { state in
      state.startAnewInFork()
      state.last += 1
      state.waiting.append(
        Report(number: state.last, assignment: assignment, diagnostics: diagnostics))
      return state.hasThread.turnOn()
    }
    work.signal()
    guard needsThread else { return }
    // The reports are written by a thread. A task could not write them while other tasks block all
    // threads of the pool. The thread stays, to wait for the next report.
    let isStarted = SystemThread.startIfPossible {
      $isWriter.withValue(true) {
        while true {
          work.wait()
          write()
        }
      }
    }
    guard !isStarted else { return }
    state.withLock { $0.hasThread = false }
    $isWriter.withValue(true) { write() }
  }

  /// Writes the waiting reports. Looks up the names of callers in batches, because thousands of
  /// look-ups in one batch take hardly longer than a single one.
  private static func write() {
    while true {
      let batch = state.withLock { $0.waiting.prefix(4_096).map(\.self) }
      if batch.isEmpty { return }
      let names = CallerTrace.Names(of: batch.flatMap(\.assignment.traces))
      for report in batch {
        // At the end of the program, `finish` waits for this thread for about two seconds. Then
        // it takes the reports out of `waiting`, and writes them itself. A report that `finish` has
        // taken is not written here.
        let isOurs = state.withLock { state in
          guard state.waiting.first?.number == report.number else { return false }
          state.waiting.removeFirst()
          state.isWriting = true
          return true
        }
        guard isOurs else { continue }
        report.diagnostics.report(report.assignment.diagnostic(names))
        state.withLock { $0.isWriting = false }
      }
    }
  }

  /// Waits until all reports are written. Checks each millisecond until `limit` is over, and at
  /// least once for each millisecond of `limit`. On a busy machine, where a check takes longer than
  /// a millisecond, the wait may therefore be longer than `limit`.
  static func wait(atMost limit: Duration) {
    SystemThread.wait(atMost: limit, tries: Int(limit / .milliseconds(1))) {
      state.withLock { !$0.isWriting && $0.waiting.isEmpty }
    }
  }

  /// Writes all remaining reports when the program ends.
  ///
  /// Waits for the writing thread for about two seconds, longer on a busy machine, then writes the
  /// remaining reports without looking up the names of the callers. Does not wait on the writing
  /// thread itself, which calls this function if a handler of reports ends the program.
  static func finish() {
    if !isWriter { wait(atMost: .seconds(2)) }
    let names = CallerTrace.Names()
    while let report = state.withLock({ $0.waiting.popFirst() }) {
      report.diagnostics.report(report.assignment.diagnostic(names))
    }
  }
}
