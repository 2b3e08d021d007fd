// SPDX-License-Identifier: Apache-2.0

/// The effect on a call of the options that show a test's time to the system's clocks: `date: true`
/// and `systemClocks: true`.
enum ClockOption {
  /// Both show the test's time to the call.
  case date
  /// `systemClocks: true` alone shows the test's time to the call.
  case clocks
  /// The call waits until a date by the real clock, so under both it does not wait as long as a
  /// date of the test says.
  case misled

  /// The options' effect on a call of the function, whose symbol is in the form that
  /// `Escape.bare(_:)` returns; nil if they have none.
  init?(ofCall symbol: String) {
    guard let option = Self.all.first(where: { symbol.hasPrefix($0.symbol) })?.option else {
      return nil
    }
    self = option
  }

  /// The end of a report's line.
  var remark: String {
    switch self {
    case .date: ", or date: true in tests"
    case .clocks: ", or systemClocks: true in tests"
    case .misled: "; until a Date() of a test with date: true, it waits wrongly"
    }
  }

  private static let all: [(symbol: String, option: ClockOption)] =
    [
      "Foundation.Date.init() ->", "Foundation.Date.now.getter",
      "Foundation.Date.init(timeIntervalSinceNow:", "Foundation.Date.timeIntervalSince",
      "Foundation.DateInterval.init() ->", "Foundation.Calendar.isDateIn",
      "Foundation.Date.RelativeFormatStyle.",
      "Foundation.FormatStyle< where A == Foundation.Date.RelativeFormatStyle>",
      "Foundation.TimeZone.nextDaylightSavingTimeTransition",
    ].map { ($0, .date) }
    + [
      "Swift.ContinuousClock", "Swift.SuspendingClock",
      "Swift.Clock< where A == Swift.ContinuousClock>.continuous",
      "Swift.Clock< where A == Swift.SuspendingClock>.suspending",
      "Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep",
      "default argument 2 of Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep",
      "Swift.AsyncSequence.debounce<", "Swift.AsyncSequence._throttle",
      "AsyncAlgorithms.AsyncTimerSequence<",
    ].map { ($0, .clocks) }
    // The conditions' waits leave no symbol, so the audit finds where one is made.
    + [
      "Foundation.RunLoop.run(until:", "Foundation.RunLoop.run(mode:",
      "Foundation.Thread.sleep(until:", "Foundation.Timer.__allocating_init(fire:",
      "Foundation.NSCondition.", "Foundation.NSConditionLock.",
      "Dispatch.DispatchWallTime.init(timespec:",
    ].map { ($0, .misled) }
}
