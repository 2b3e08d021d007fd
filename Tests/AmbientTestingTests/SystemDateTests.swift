// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import AmbientVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

/// `Date()` in code that never heard of Ambient.
@Suite(.enabled(if: VirtualTime.hasSystemClocks)) struct `Date() in frozen time` {
  private let instant = Date(timeIntervalSinceReferenceDate: 123_456_789.125)

  @Test(.frozen(at: "2026-11-27T00:00:00.123Z", date: true))
  func `the frozen trait with the date option freezes Date()`() async throws {
    let expected = try Date(iso8601: "2026-11-27T00:00:00.123Z")
    #expect(Date() == expected && Date.now == expected)
    #expect(await Task { Date() }.value == expected)
    await MainActor.run { #expect(Date() == expected) }
    async let date = Date()
    #expect(await date == expected)
  }

  @Test(.frozen(at: "2026-11-27T00:00:00Z"))
  func `without the date option, Date() is real under the frozen trait`() throws {
    #expect(try Date() != Date(iso8601: "2026-11-27T00:00:00Z"))
  }

  @Test func `Time.freeze with the date option freezes Date() in sync and async blocks`()
    async throws
  {
    #expect(try Time.freeze(at: instant, date: true) { Date() } == instant)
    #expect(try await Time.freeze(at: instant, date: true) { () async in Date() } == instant)
    let text = "2026-11-27T00:00:00Z"
    let date = try Date(iso8601: text)
    #expect(try Time.freeze(at: text, date: true) { Date() } == date)
    #expect(try await Time.freeze(at: text, date: true) { () async in Date() } == date)
    #expect(Date() > date)
  }

  @Test func `in a Time.freeze block, Date() follows nested freeze, travel and scale calls`() throws
  {
    try Time.freeze(at: instant, date: true) {
      Time.travel(by: .seconds(60)) { #expect(Date() == instant + 60) }
      Time.freeze(at: instant + 5) { #expect(Date() == instant + 5) }
      try Time.scale(by: 60) { #expect(Date() == instant) }
      Time.withInstance(FixedTime(at: instant - 1)) { #expect(Date() == instant - 1) }
      let time = FixedTime(at: instant)
      Time.withInstance(time) {
        time.advance(by: .milliseconds(1_500))
        #expect(Date() == instant + 1.5)
      }
    }
  }

  @Test func `under a DefaultTime in a Time.freeze block, Date() is real and follows time travel`()
    throws
  {
    try Time.freeze(at: instant, date: true) {
      Time.withInstance(DefaultTime()) {
        let before = Time.now
        #expect(before <= Date() && Date() <= Time.now)
        Time.travel(by: .seconds(86_400)) {
          let before = Time.now
          #expect(before <= Date() && Date() <= Time.now)
        }
      }
    }
  }

  @Test func `Date() is real in Time.freeze without the date option and outside the frozen scope`()
    async throws
  {
    try await Time.freeze(at: instant, date: true) {
      let (detached, outside) = (
        await Task.detached { Date() }.value, AmbientScope.outside { Date() }
      )
      let off = try Time.freeze(at: instant, date: false) { Date() }
      let isolated = AmbientScope.isolated { Date() }
      for date in [detached, outside, off, isolated] { #expect(date > instant + 86_400) }
    }
  }

  @Test func `a captured scope of frozen time freezes Date() on a Dispatch thread`() async throws {
    let scope = try Time.freeze(at: instant, date: true) { AmbientScope.capture() }
    let dates = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: [scope.run { Date() }, Date()])
      }
    }
    #expect(dates[0] == instant && dates[1] > instant + 86_400)
  }

  /// A time of a program's own may read `Date()` itself, so `Date()` must not ask it.
  @Test func `under a custom Time in a Time.freeze block, Date() is real`() throws {
    final class Skewed: Time, @unchecked Sendable {
      override var now: Date { Date() + 86_400 }
    }
    try Time.freeze(at: instant, date: true) {
      Time.withInstance(Skewed()) {
        let (before, now, after) = (Date(), Time.now, Date())
        #expect(before + 86_400 <= now && now <= after + 86_400)
        Time.travel(by: .seconds(86_400)) {
          let (before, now, after) = (Date(), Time.now, Date())
          #expect(before + 172_800 <= now && now <= after + 172_800)
        }
      }
    }
  }

  @Test func `a call of Date() isn't reported as a use of Time`() throws {
    let uses = Guarded<[String]>([])
    let observe: UseObservers.Observer = { name, _ in uses.withLock { $0.append(name) } }
    try UseObservers.$ofDefaults.withValue(observe) {
      try AmbientScope.isolated { try SystemClocks.context.withInstance(.date()) { _ = Date() } }
    }
    #expect(uses.withLock { $0 }.isEmpty)
  }

  @Test func `Swift's clocks and sleeps stay real in frozen time`() async throws {
    try await Time.freeze(at: instant, date: true) {
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      try await Task.sleep(for: .milliseconds(1))
      #expect(continuous.duration(to: .now) >= .milliseconds(1))
      #expect(suspending.duration(to: .now) >= .milliseconds(1))
    }
  }

  @Test func `C clocks, NSDate and dates of new files stay real in frozen time`() throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("new")
    try Time.freeze(at: instant, date: true) {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let epoch = instant.timeIntervalSince1970
      #expect(Double(time.tv_sec) > epoch + 86_400)
      #expect(NSDate().timeIntervalSince1970 > epoch + 86_400)
      try Data().write(to: URL(filePath: path))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(try #require(attributes[.modificationDate] as? Date) > instant + 86_400)
    }
  }

  @Test func `a frozen Date() stays frozen in a forked process but not in a launched program`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let instant = Date(timeIntervalSinceReferenceDate: 5)
      let status = try Time.freeze(at: instant, date: true) {
        statusOfFork { Date() == instant ? 0 : 1 }
      }
      #expect(status == 0)
    }
    let started = try await Time.freeze(at: instant, date: true) {
      try await Command.run(["date", "+%s"])
    }
    let seconds = try #require(TimeInterval(started.output.prefix { $0.isNumber }))
    #expect(seconds > instant.timeIntervalSince1970 + 86_400)
  }

  /// What the audit marks by `date: true`.
  @Test func `Foundation APIs that read the current date use the frozen date`() throws {
    try Time.freeze(at: instant, date: true) {
      #expect(Date(timeIntervalSinceNow: 5) == instant + 5)
      #expect((instant + 5).timeIntervalSinceNow == 5)
      #expect(Date.timeIntervalSinceReferenceDate == instant.timeIntervalSinceReferenceDate)
      #expect(DateInterval().start == instant)
      let (calendar, day) = (Calendar(identifier: .gregorian), 86_400.0)
      #expect(calendar.isDateInYesterday(instant - day))
      #expect(calendar.isDateInTomorrow(instant + day))
      let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
      #expect(
        zone.nextDaylightSavingTimeTransition
          == zone.nextDaylightSavingTimeTransition(after: instant))
      #expect(zone.secondsFromGMT() == zone.secondsFromGMT(for: instant))
    }
  }

  @Test func `Calendar and relative date formats use the frozen date`() throws {
    try Time.freeze(at: instant, date: true) {
      #expect(Calendar.current.isDateInToday(instant))
      let style = Date.RelativeFormatStyle(presentation: .named, locale: Locale(identifier: "en"))
      #expect((instant + 7_200).formatted(style) == "in 2 hours")
    }
  }

  /// The run loop reads the system's clock, so a date of its own would make it wait for years.
  @Test(arguments: [-1.0, 1.0])
  func `a Foundation Timer fires even if Date() is frozen a year in the past or future`(
    _ years: Double
  ) async throws {
    let date = Date() + years * 365 * 86_400
    let fired = SharedFlag()
    try Time.freeze(at: date, date: true) {
      let scope = AmbientScope.capture()
      let thread = Thread {
        scope.run {
          let timer = Timer(timeInterval: 0.001, repeats: false) { _ in fired.set() }
          RunLoop.current.add(timer, forMode: .default)
          while !fired.isSet {
            _ = RunLoop.current.run(mode: .default, before: .distantFuture)
          }
        }
      }
      thread.start()
    }
    #expect(await Patience.waitIdly { fired.isSet })
  }

  @Test func `Foundation timers made at a thousand different frozen dates don't fire early`()
    async throws
  {
    let (real, fired) = (DefaultTime(), SharedDurations())
    let scopes = try (0..<1_000).map { number in
      try Time.freeze(at: instant + Double(number - 500) * 86_400, date: true) {
        AmbientScope.capture()
      }
    }
    let thread = Thread {
      for scope in scopes {
        scope.run {
          let start = real.uptime
          _ = Timer.scheduledTimer(withTimeInterval: 0.3, repeats: false) { _ in
            fired.append(real.uptime - start)
          }
        }
      }
      while fired.all.count < scopes.count {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
    }
    thread.start()
    #expect(await Patience.waitIdly { fired.all.count == 1_000 })
    let least = Duration.milliseconds(299)
    #expect(fired.all.allSatisfy { $0 >= least }, "\(fired.all.min() ?? .zero)")
  }

  @Test func `a thousand concurrent tasks each see their own frozen Date()`() async throws {
    let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let date = instant + Double(number)
          return try await Time.freeze(at: date, date: true) {
            var wrong = 0
            for _ in 0..<20 {
              if Date() != date { wrong += 1 }
              await Task.yield()
              if await Task(operation: { Date() }).value != date { wrong += 1 }
            }
            return wrong
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}

private final class SharedFlag: Sendable {
  private let flag = Guarded(false)
  var isSet: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}

private final class SharedDurations: Sendable {
  private let durations = Guarded<[Duration]>([])
  var all: [Duration] { durations.withLock { $0 } }
  func append(_ duration: Duration) { durations.withLock { $0.append(duration) } }
}
