// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Delivery counts` {
  private final class Readings: Sendable {
    let count = Atomic<Int>(0)
    let wrong = Guarded<[DeliveryStatus]>([])
    let isOver = Atomic<Bool>(false)
    let hasEnded = Atomic<Bool>(false)
  }

  @Test func `at any moment, each event is counted once as waiting, delivered or lost`()
    async throws
  {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let readings = Readings()
    // Two events of a hundred are refused, which those beside them are not. Each answer waits until
    // the counts were read.
    let transport = ScriptedTransport { _, lines in
      let before = readings.count.load(ordering: .relaxed)
      while readings.count.load(ordering: .relaxed) == before { usleep(10) }
      return lines.contains { $0.contains(#""number":13}"#) || $0.contains(#""number":57}"#) }
        ? .answer(400) : .answer(200)
    }
    var options = UploadOptions.atFlush
    options.events = 10
    let analytics = try HTTPAnalytics(transport, folder, upload: options)
    for _ in 0..<10 { analytics.track(0..<100) }
    // A thread, so that it reads at any moment of the uploader's task.
    Thread.detachNewThread {
      while !readings.isOver.load(ordering: .relaxed) {
        let status = analytics.status
        let sum = status.waiting + status.delivered + status.lost.values.reduce(0, +)
        if sum != 1_000 { readings.wrong.withLock { $0.append(status) } }
        readings.count.add(1, ordering: .relaxed)
      }
      readings.hasEnded.store(true, ordering: .relaxed)
    }
    await analytics.finish()
    readings.isOver.store(true, ordering: .relaxed)
    #expect(await Patience.waitIdly { readings.hasEnded.load(ordering: .relaxed) })
    #expect(readings.wrong.withLock { $0 }.first == nil)
    #expect(readings.count.load(ordering: .relaxed) > 100)
    #expect(analytics.status.delivered == 980)
    #expect(analytics.status.lost == ["status 400": 20])
    #expect(analytics.status.refused == 20)
  }

  @Test func `after a shutdown, a collector's status.waiting and status.trouble stay unchanged`()
    async throws
  {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let queue = folder.path("queue")
    let analytics = try HTTPAnalytics(ScriptedTransport { _, _ in .answer(503) }, folder)
    analytics.track(0..<3)
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.trouble != nil })
    await analytics.shutdown(deadline: .now)
    let trouble = try #require(analytics.status.trouble)
    #expect(EventQueue.trouble(in: queue)?.reason == trouble.reason)
    analytics.track(3..<5)
    #expect(analytics.erase(user: "ada") == 0)
    #expect(analytics.status.waiting == 3 && analytics.status.trouble == trouble)
    #expect(analytics.status.lost == ["the queue was closed": 2])
    #expect(EventQueue.trouble(in: queue)?.reason == trouble.reason)
    // Once more, as a program may that shuts down all it knows.
    await analytics.shutdown(deadline: .now)
    #expect(analytics.status.waiting == 3)
  }
}

private struct Nowhere: LineDestination {
  let name = "Nowhere"
  let limits = RequestLimits(events: 1, bytes: 1)
  var settingsToCheck: [String] = []
}

/// The queue of a ledger, and the notes in its folder.
private struct Notebook {
  private let folder = TemporaryFolder()
  let queue: EventQueue

  init() throws { queue = try EventQueue(folder: folder.path("queue"), .small) }

  /// The reason of the noted failure; nil if there is none.
  var reason: String? { EventQueue.trouble(in: queue.folder)?.reason }
  /// The number of noted destinations.
  var accepted: Int {
    get throws { try folder.text("queue/accepted").split(separator: "\n").count }
  }
}

@Suite(.quiet) struct `Upload losses` {
  private let notes: Notebook
  private let ledger: UploadLedger

  init() throws {
    notes = try Notebook()
    ledger = UploadLedger(Nowhere(), noun: "event", notes.queue)
  }

  private func lose(_ count: Int, _ reason: String) {
    let key = ledger.key(for: reason)
    ledger.count(delivered: 0, lost: count, key)
    ledger.tellLoss(of: count, key, reason, detail: "")
  }

  @Test func `UploadLedger counts losses for at most 32 reasons and merges all further reasons`() {
    for number in 0..<40 { lose(2, "reason \(number)") }
    let lost = ledger.counts.lost
    #expect(lost.count == 33 && lost["other reasons"] == 16)
    #expect((0..<32).allSatisfy { lost["reason \($0)"] == 2 })
    // Each is reported once.
    lose(1, "reason 0")
    lose(1, "reason 50")
    #expect(ledger.counts.lost["reason 0"] == 3 && ledger.counts.lost["other reasons"] == 17)
    #expect(Test.reports.count == 33)
  }

  private func tell(
    _ count: Int, _ reason: String, detail: String = "", record: String? = nil, isKept: Bool = false
  ) {
    ledger.tellLoss(
      of: count, ledger.key(for: reason), reason, detail: detail,
      record: record.map { Array($0.utf8) }, isKept: isKept)
  }

  @Test func `each reason for lost events is reported once, with the server's message`() {
    tell(0, "a")
    tell(1, "a")
    tell(1, "a")
    tell(2, "b", detail: "why")
    tell(1, "c", record: #"{"id":"0-1","time":"2"}"#)
    tell(1, "d", record: #"{"id":"0-2"}"#, isKept: true)
    func loss(
      _ count: Int, _ reason: String, id: String? = nil, isKept: Bool = false
    ) -> String {
      let record = id.map { Array(#"{"id":"\#($0)"}"#.utf8) }
      return UploadLedger.loss(of: count, "event", record: record, isKept: isKept, reason)
    }
    #expect(
      Test.reports.map(\.message) == [
        loss(1, "a"), loss(2, "b (why)"), loss(1, "c", id: "0-1"),
        loss(1, "d", id: "0-2", isKept: true),
      ])
    #expect(Test.reports.allSatisfy { $0.kind == .undelivered && $0.source == "Nowhere" })
    #expect(ledger.counts.lost == [:] && ledger.counts.delivered == 0)
  }

  // In a process of its own: a read beyond the record traps.
  @Test func `the report of a lost event names the event's ID even if the JSON is truncated`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let reports = Reports()
      let lines = [
        #"{"id":"0-1""#, #"{"id":"0-1"#, #"{"id":"0-1","a":"b"}"#, #"{"id":"#, #"{"id""#, "{}", "",
      ]
      Diagnostics.withInstance(reports) {
        guard let notes = try? Notebook() else { return }
        let ledger = UploadLedger(Nowhere(), noun: "record", notes.queue)
        for (number, line) in lines.enumerated() {
          ledger.tellLoss(of: 1, "\(number)", "why", detail: "", record: Array(line.utf8))
        }
      }
      let hasID = reports.messages.map { $0.contains(" 0-1 ") }
      #expect(hasID == [true, true, true, false, false, false, false])
    }
  }
}

@Suite(.quiet) struct `Upload failure reports` {
  private let notes: Notebook
  private let ledger: UploadLedger
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  init() throws {
    notes = try Notebook()
    ledger = UploadLedger(Nowhere(), noun: "event", notes.queue)
  }

  private func fail(
    _ reason: String, isAside: Bool = false, waiting: Int = 1, after seconds: Double = 0
  ) {
    ledger.noteTrouble(
      reason, detail: "", isTurnedAway: false, isAside: isAside, waiting: waiting,
      now: now + seconds, uptime: .seconds(seconds))
  }

  private func failure(_ reason: String, waiting: Int = 1) -> String {
    UploadLedger.failure(reason, returns: 0, waiting: waiting, "event", isTurnedAway: false)
  }

  @Test func `upload failures are reported once for each reason until deliveries recover`() {
    for (reason, seconds) in [("a", 0.0), ("a", 1), ("b", 2), ("a", 3)] {
      fail(reason, after: seconds)
    }
    #expect(
      ledger.counts.trouble == DeliveryTrouble(reason: "a", since: now, attempts: 4))
    ledger.noteRecovery(at: .seconds(4))
    #expect(ledger.counts.trouble == nil)
    ledger.noteRecovery(at: .seconds(5))
    fail("a", after: 603)
    #expect(
      ledger.counts.trouble == DeliveryTrouble(reason: "a", since: now + 603, attempts: 1))
    #expect(Test.reports.count == 3 && notes.reason == "a")
    fail("a", waiting: 2, after: 604)
    #expect(
      ledger.counts.trouble == DeliveryTrouble(reason: "a", since: now + 603, attempts: 2))
    #expect(
      Test.reports.map(\.message) == [
        failure("a"), failure("b"), UploadLedger.recovery(after: 4, "event", aside: 0),
        failure("a", waiting: 2),
      ])
    #expect(
      Test.reports.map(\.kind) == [.undelivered, .undelivered, .recovered, .undelivered])
    #expect(notes.reason == "a")
  }

  @Test func `a server that fails and recovers repeatedly is reported once in ten minutes`() {
    for second in stride(from: 0.0, to: 2_400, by: 2) {
      fail("a", after: second)
      #expect(ledger.counts.trouble?.attempts == 1 && ledger.counts.trouble?.since == now + second)
      ledger.noteRecovery(at: .seconds(second + 1))
      #expect(ledger.counts.trouble == nil)
    }
    #expect(
      Test.reports.map(\.kind)
        == (0..<4).flatMap { _ in [Diagnostic.Kind.undelivered, .recovered] })
    // Of the failures every two seconds, that at 602 s is the first one that is reported again.
    #expect(
      Test.reports.map { $0.message.contains(" 301 times") } == [
        false, false, true, false, true, false, true, false,
      ])
  }

  @Test func `a failure that recurs after a recovery is reported again only after ten minutes`() {
    fail("a")
    ledger.noteRecovery(at: .seconds(1))
    for second in stride(from: 2.0, to: 601, by: 1) { fail("a", after: second) }
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered])
    fail("a", after: 601)
    fail("a", after: 602)
    ledger.noteRecovery(at: .seconds(603))
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered, .undelivered, .recovered])
    #expect(Test.reports[2].message == failure("a"))
  }

  @Test func `in ten minutes, failures of an unstable server are reported for at most 32 reasons`()
  {
    for number in 0..<100 {
      fail("reason \(number)", after: Double(number))
      ledger.noteRecovery(at: .seconds(number))
    }
    #expect(Test.reports.count == 64)
    fail("reason 100", after: 700)
    #expect(Test.reports.count == 65)
  }

  @Test func `even after the queue runs empty, a failure is reported at most once in ten minutes`()
  {
    fail("a")
    fail("a", waiting: 0)
    #expect(ledger.counts.trouble == nil && notes.reason == nil)
    fail("a")
    #expect(Test.reports.count == 1 && notes.reason == "a")
    // Unlike ten minutes after it refused all that came.
    let ended = ledger.forgetTrouble(answeredAt: .zero)
    #expect(ended?.attempts == 1)
    fail("a", after: 599)
    #expect(Test.reports.count == 1)
    fail("a", after: 600)
    #expect(Test.reports.map(\.kind) == [.undelivered, .undelivered])
  }

  @Test func `while events are set aside, each failure of those events is reported only once`() {
    fail("a")
    ledger.note(setAside: ["a": 1, "b": 1])
    for _ in 0..<2 {
      ledger.noteRecovery(at: .zero)
      fail("a", isAside: true)
    }
    #expect(ledger.counts.setAside == ["a": 1, "b": 1] && ledger.counts.trouble?.reason == "a")
    #expect(Test.reports.map(\.kind) == [.undelivered, .recovered])
    #expect(Test.reports.last?.message == UploadLedger.recovery(after: 1, "event", aside: 2))
    fail("b", isAside: true)
    #expect(Test.reports.last?.message == failure("b"))
    // The server fails for the same reason.
    fail("a", after: 600)
    fail("a", isAside: true, after: 600)
    #expect(Test.reports.count == 4)
    ledger.noteRecovery(at: .seconds(600))
    ledger.note(setAside: [:])
    ledger.note(setAside: ["a": 1])
    fail("a", isAside: true, after: 1_199)
    #expect(Test.reports.count == 5)
    fail("a", isAside: true, after: 1_200)
    #expect(
      Test.reports.map(\.kind)
        == [.undelivered, .recovered, .undelivered, .undelivered, .recovered, .undelivered])
  }

  @Test func `an UploadLedger removes the trouble file of an earlier start only once`() {
    let earlier = DeliveryTrouble(reason: "old", since: now, attempts: 1)
    notes.queue.note(earlier)
    #expect(ledger.forgetTrouble() == nil && notes.reason == nil)
    notes.queue.note(earlier)
    #expect(ledger.forgetTrouble() == nil)
    ledger.noteRecovery(at: .zero)
    #expect(notes.reason == "old" && Test.reports.isEmpty)
  }

  @Test func `UploadLedger remembers across program starts that a server has accepted an event`()
    throws
  {
    #expect(!ledger.hasEverDelivered)
    notes.queue.noteAccepted("Elsewhere")
    #expect(!ledger.hasEverDelivered)
    ledger.noteAcceptance()
    ledger.noteAcceptance()
    #expect(try ledger.hasEverDelivered && notes.accepted == 2)
    notes.queue.noteAccepted("Nowhere")
    #expect(try notes.accepted == 2)
    #expect(UploadLedger(Nowhere(), noun: "event", notes.queue).hasEverDelivered)
  }

  @Test func `a closed UploadLedger counts losses but doesn't store or report them`() {
    fail("a")
    ledger.close()
    fail("b")
    ledger.noteAcceptance()
    ledger.noteRecovery(at: .zero)
    ledger.tellLoss(of: 1, "c", "c", detail: "")
    ledger.count(delivered: 2, lost: 3, "c")
    ledger.count(delivered: 1, lost: 0, "d")
    ledger.close()
    #expect(Test.reports.count == 1 && notes.reason == "a" && !notes.queue.hasAccepted("Nowhere"))
    #expect(ledger.counts.delivered == 3 && ledger.counts.lost == ["c": 3])
    #expect(ledger.inScope { 1 } == nil)
    #expect(ledger.hasEverDelivered)
  }

  @Test func `upload failures are reported for at most 32 different reasons`() {
    for number in 0..<40 { fail("reason \(number)") }
    #expect(Test.reports.count == 32 && ledger.counts.trouble?.attempts == 40)
  }

  @Test(arguments: [
    ([], ""), (["a"], "; check a"), (["a", "b"], "; check a and b"),
    (["a", "b", "c"], "; check a, b and c"),
  ])
  func `the report of a failure with the verdict turnedAway names the settings to check`(
    settings: [String], end: String
  ) {
    let ledger = UploadLedger(Nowhere(settingsToCheck: settings), noun: "event", notes.queue)
    for isTurnedAway in [false, true] {
      ledger.noteTrouble(
        "no", detail: "why", isTurnedAway: isTurnedAway, waiting: 1, now: now, uptime: .zero)
      #expect(ledger.counts.trouble?.reason == (isTurnedAway ? "no (why)\(end)" : "no (why)"))
    }
    #expect(Test.reports.map(\.message) == [failure("no (why)")])
  }
}
