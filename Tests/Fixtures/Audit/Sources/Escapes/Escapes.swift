import Dispatch
import Foundation

// A comment after a call names what the audit must report there, and nowhere else.

func dates() -> [Date] {
  [
    Date(),  // Date()
    Date.now,  // Date.now
    Date(timeIntervalSinceNow: 5),  // Date(timeIntervalSinceNow:)
  ]
}

func elapsed(_ date: Date) -> TimeInterval {
  date.timeIntervalSinceNow  // Date.timeIntervalSinceNow
}

func clocks() -> [Any] {
  [
    ContinuousClock.now,  // ContinuousClock
    ContinuousClock().now,  // ContinuousClock
    SuspendingClock.now,  // SuspendingClock
    SuspendingClock().now,  // SuspendingClock
  ]
}

func measured() -> Duration {
  ContinuousClock().measure {}  // ContinuousClock
}

@available(*, deprecated, message: "it calls what is deprecated")
func sleeps() async throws {
  try await Task.sleep(nanoseconds: 5)  // Task.sleep(nanoseconds:)
  await Task.sleep(5)  // Task.sleep(_:)
  try await Task.sleep(for: .seconds(5))  // Task.sleep(for:)
  try await Task.sleep(until: .now, clock: .continuous)  // ContinuousClock
  try await Task.sleep(until: .now, clock: .suspending)  // SuspendingClock
  try await ContinuousClock().sleep(for: .seconds(1))  // ContinuousClock
}

func dispatched() {
  _ = DispatchTime.now()  // DispatchTime.now()
  _ = DispatchWallTime.now()  // DispatchWallTime.now()
  DispatchQueue.main.asyncAfter(deadline: .distantFuture) {}  // asyncAfter
  DispatchQueue.main.asyncAfter(deadline: .now() + 1) {}  // asyncAfter
  DispatchQueue.main.asyncAfter(wallDeadline: .now() + 1) {}  // asyncAfter
}

func system() {
  _ = ProcessInfo.processInfo.systemUptime  // systemUptime
  _ = time(nil)  // time
  var day = timeval()
  gettimeofday(&day, nil)  // gettimeofday
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)  // clock_gettime
  usleep(1)  // usleep
  sleep(1)  // sleep
  nanosleep(&now, nil)  // nanosleep
  Thread.sleep(forTimeInterval: 1)  // Thread.sleep
}

func places() -> [Any] {
  [
    Calendar.current,  // Calendar.current
    TimeZone.current,  // TimeZone.current
    Locale.current,  // Locale.current
    TimeZone.autoupdatingCurrent,  // TimeZone.current
  ]
}

func identifiers() -> [Any] {
  [UUID()]  // UUID()
}

func texts() {
  NSLog("b")  // NSLog
}

struct Order {
  var placed = Date()  // Date()
  let ages = [Date.distantPast].map(\.timeIntervalSince1970)

  init() {}

  init(again: Bool) {}
}

struct Session {
  var begun = Date()  // Date()
  var id = UUID()  // UUID()
}

func later() -> @Sendable () -> Date {
  { Date() }  // Date()
}

/// The label of this literal in the object has its text, and so ends with a return.
func progress() -> String { "waiting\r" }
