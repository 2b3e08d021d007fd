// SPDX-License-Identifier: Apache-2.0

// Examples for frozen tests, for migrations from swift-log and swift-dependencies, and for phones.

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

// snippet.trial
struct Trial {
  let began: Date

  init() { began = Time.now }

  var isOver: Bool { Time.now >= began + 14 * 86_400 }
}
// snippet.end

// snippet.trial-tests
@Suite(.frozen(at: "2026-11-27T00:00:00Z")) struct `A trial` {
  @Test func `is not over on its first day`() { #expect(!Trial().isOver) }

  @Test func `is over after two weeks`() throws {
    let trial = Trial()
    try Time.freeze(at: "2026-12-11T00:00:00Z") { #expect(trial.isOver) }
  }

  @Test(arguments: [13, 14, 15]) func `is over from day 14 on`(day: Int) {
    let trial = Trial()
    Time.freeze(at: Time.now + Double(day) * 86_400) { #expect(trial.isOver == (day >= 14)) }
  }
}
// snippet.end

// snippet.reminder
actor Reminder {
  private(set) var sent = 0

  func run() async throws {
    for _ in 1...3 {
      try await Time.sleep(for: .seconds(86_400))
      sent += 1
      Log.notice("reminder sent", ["number": sent])
    }
  }
}
// snippet.end

// snippet.reminder-test
@Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .log(LogRecorder()))
func `three reminders, a day apart`() async throws {
  let (time, reminder) = (try VirtualTime.current, Reminder())
  let task = Time.task { try await reminder.run() }
  try await time.advance(by: .seconds(86_400 - 1))
  #expect(await reminder.sent == 0)
  try await time.advance(by: .seconds(1))
  #expect(await reminder.sent == 1)
  try await task.value  // the other two days pass by themselves
  #expect(try LogRecorder.current.records.count == 3)
}
// snippet.end

func handle(_ request: Int) async {}

// snippet.request
func serve(_ request: Int) async {
  await Log.withMetadata(["request": request]) {
    Log.info("request begun")
    await handle(request)
  }
}
// snippet.end

// snippet.log-start
enum Trace {
  @TaskLocal static var id: String?
}

Log.instance = MultiLog(StdoutLog(), try FileLog(path: "shop.log", level: .debug))
Log.metadata = ["service": "shop"]
Log.metadataProvider = { ["trace": Trace.id] }
// snippet.end

// snippet.log-test
@Test(.log(LogRecorder())) func `a request says that it begins`() async throws {
  await serve(7)
  let recorder = try LogRecorder.current
  recorder.expect(LogExpectation("request begun", level: .info, ["request": 7]))
}
// snippet.end

// snippet.model
@MainActor final class Countdown {
  private(set) var secondsLeft = 10
  private(set) var endedAt: Date?

  func run() async throws {
    for try await _ in Time.timer(every: .seconds(1)) {
      secondsLeft -= 1
      if secondsLeft == 0 { break }
    }
    endedAt = Time.now
  }
}
// snippet.end

// snippet.model-test
@MainActor @Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
func `a countdown ends after ten seconds`() async throws {
  let countdown = Countdown()
  try await countdown.run()
  #expect(countdown.secondsLeft == 0)
  #expect(try countdown.endedAt == Date(iso8601: "2026-11-27T00:00:10Z"))
}
// snippet.end

// snippet.phone
let support = try FileManager.default.url(
  for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
).path
Log.instance = try FileLog(
  path: "\(support)/Logs/app.log", rotation: .size(1_000_000, keep: 3))
Analytics.instance = try HTTPAnalytics(
  url: "https://events.example.org/v1", queue: EventQueue(folder: "\(support)/Events"))
// snippet.end

// snippet.phone-background
func enterBackground() {
  Log.instance.flush()
  Analytics.instance.flush()
}
// snippet.end

@Test(.virtualTime(from: "2026-11-27T00:00:00Z")) func `a night passes`() async throws {
  // snippet.night
  try await VirtualTime.current.jump(by: .seconds(8 * 3_600))
  // snippet.end
}
