// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AmbientCollectors

@Suite struct `Retry policy` {
  /// A request of some events.
  private static func part(_ events: Int, group: String = "") -> UploadBatch {
    var part = UploadBatch(group: group, overhead: 0)
    let limits = RequestLimits(events: 1_000, bytes: 1_000_000)
    for index in 0..<events { part.append(index, [UInt8](repeating: 1, count: 99), limits) }
    return part
  }

  private static let position = Journal.Position(count: 8)

  /// A policy and a request, whose events get answers.
  private struct Trial {
    var policy: RetryPolicy
    var part: UploadBatch
    var now = Duration.zero

    init(_ events: Int, _ options: UploadOptions = UploadOptions()) {
      policy = RetryPolicy(options)
      part = `Retry policy`.part(events)
    }

    mutating func step(
      _ verdict: DeliveryVerdict, _ error: TransportError? = nil, isEnding: Bool = false
    ) -> RetryPolicy.Step {
      decide(verdict, error, isEnding: isEnding).step
    }

    mutating func decide(
      _ verdict: DeliveryVerdict, _ error: TransportError? = nil, isEnding: Bool = false
    ) -> (step: RetryPolicy.Step, wait: RetryPolicy.Wait?) {
      policy.decide(
        verdict, on: &part, alone: part.entries.count == 1 ? `Retry policy`.position : nil,
        isEnding: isEnding,
        error, now: now)
    }

    /// Accepts another event.
    mutating func acceptAnother() {
      var other = `Retry policy`.part(1)
      _ = policy.decide(.accepted, on: &other, alone: nil, isEnding: false, now: now)
    }
  }

  private typealias Row = (
    verdict: DeliveryVerdict, several: [RetryPolicy.Step], one: [RetryPolicy.Step], waits: Bool
  )

  /// For each verdict that comes again and again: the steps for a request with several events, the
  /// steps for one event, and whether the first of them is followed by a wait.
  private static let table: [Row] = [
    (.accepted, [.takeOut(lost: 0)], [.takeOut(lost: 0)], false),
    (.partlyAccepted(refused: 1, reason: "r"), [.takeOut(lost: 1)], [.takeOut(lost: 1)], false),
    (.partlyAccepted(refused: -1, reason: "r"), [.takeOut(lost: 0)], [.takeOut(lost: 0)], false),
    (.partlyAccepted(refused: 9, reason: "r"), [.takeOut(lost: 4)], [.takeOut(lost: 1)], false),
    (.refused("r"), [.halve], [.suspect, .suspect], false),
    (.tooLarge("r"), [.halve], [.suspect, .suspect], false),
    (.retry("r"), [.again, .again, .again, .again], [.again, .again], true),
    (.turnedAway("r"), [.again, .again, .again, .again], [.again, .again], true),
    (.abandoned("r"), [.abandon], [.abandon], true),
    (.unclear("r"), [.later, .later, .halve], [.setAside], true),
  ]

  @Test func `each DeliveryVerdict leads to the expected RetryPolicy step and wait`() {
    for row in Self.table {
      for (events, steps) in [(4, row.several), (1, row.one)] {
        var trial = Trial(events)
        for (number, step) in steps.enumerated() {
          let decision = trial.decide(row.verdict)
          #expect(decision.step == step, "\(row.verdict), \(events) events")
          if number == 0 { #expect((decision.wait != nil) == row.waits, "\(row.verdict)") }
        }
      }
    }
  }

  @Test
  func `RetryPolicy refuses a suspect event that fails again after another event is accepted`() {
    var trial = Trial(1)
    #expect(trial.step(.refused("r")) == .suspect)
    trial.acceptAnother()
    #expect(trial.policy.takeSuspects().count == 1)
    #expect(trial.step(.refused("r")) == .refuse)
  }

  @Test func `once another event is accepted, RetryPolicy retries suspect events in reverse order`()
  {
    var trial = Trial(1)
    #expect(trial.policy.waitForProof(isEnding: false) == nil)
    for name in ["a", "b"] {
      trial.part = Self.part(1, group: name)
      #expect(trial.step(.refused("no \(name)", detail: name)) == .suspect)
    }
    let last = trial.policy.waitForProof(isEnding: false)
    #expect(last?.words.reason == "no b" && last?.words.detail == "b")
    #expect(last?.wait.refusal == .ofEveryEvent)
    #expect(trial.policy.takeSuspects().map(\.group) == ["b", "a"])
    #expect(trial.policy.waitForProof(isEnding: false) == nil)
    #expect(trial.policy.takeSuspects().isEmpty)
    // The acceptance proves nothing about the next batch.
    #expect(trial.step(.refused("r")) == .refuse)
    trial.policy.beginBatch()
    #expect(trial.step(.refused("r")) == .suspect)
  }

  @Test func `after 100 refusals since the last acceptance, RetryPolicy postpones the batch`() {
    var trial = Trial(1)
    _ = trial.policy.takeSuspects()
    for _ in 0..<100 { #expect(trial.step(.refused("r")) == .refuse) }
    let late = trial.decide(.refused("r"))
    #expect(late.step == .passOver && late.wait == nil)
    // Without an acceptance in the batch, it tries ten more events, with waits.
    trial.policy.beginBatch()
    for number in 1...10 {
      let late = trial.decide(.refused("r"))
      #expect(late.step == (number < 10 ? .suspect : .passOver))
      #expect(late.wait?.refusal == .ofEveryEvent)
    }
    trial.policy.beginBatch()
    #expect(trial.step(.refused("r")) == .suspect)
  }

  @Test func `after another event is accepted or after retryFirst(), postponed events are retried`()
  {
    var trial = Trial(1)
    trial.policy.passOver([Self.position])
    #expect(trial.policy.resting(at: .zero) == [Self.position])
    trial.policy.beginBatch([Self.position])
    #expect(trial.step(.refused("r")) == .suspect)
    trial.acceptAnother()
    #expect(trial.policy.resting(at: .zero) == [])
    // What was accepted since proves that the server works.
    trial.policy.beginBatch([Self.position])
    #expect(trial.step(.refused("r")) == .refuse)
    trial.policy.passOver([Self.position])
    #expect(trial.policy.retryFirst() == true)
    #expect(trial.policy.resting(at: .zero) == [])
    trial.policy.beginBatch([Self.position])
    #expect(trial.step(.refused("r")) == .suspect)
    #expect(trial.policy.retryFirst() == false)
  }

  @Test(arguments: [DeliveryVerdict.retry("r"), .turnedAway("r")])
  func `a request that fails for ten minutes is halved, or postponed if it has one event`(
    _ verdict: DeliveryVerdict
  ) {
    for events in [1, 4] {
      var trial = Trial(events)
      #expect(trial.step(verdict) == .again)
      trial.now = .seconds(599)
      #expect(trial.step(verdict) == .again)
      trial.now = .seconds(600)
      let last = trial.decide(verdict)
      #expect(last.step == (events == 1 ? .passOver : .halve) && last.wait != nil)
      // From here on, the event is alone, and the others do not wait for it.
      trial.acceptAnother()
      #expect(trial.step(verdict) == (events == 1 ? .setAside : .halve))
    }
    // A connection that reaches no server says nothing about an event, nor does a shorter failure.
    for error in [TransportError(.unsent, "no network"), nil] {
      var trial = Trial(4)
      for _ in 0..<100 {
        #expect(trial.step(verdict, error) == .again)
        trial.now += .seconds(300)
        if error == nil { trial.acceptAnother() }
      }
      if error != nil { #expect(trial.step(verdict) == .again) }
    }
  }

  @Test(arguments: [DeliveryVerdict.retry("r"), .turnedAway("r")])
  func `an event that keeps failing is retried at growing intervals and never refused`(
    _ verdict: DeliveryVerdict
  ) {
    var trial = Trial(1)
    _ = trial.step(verdict)
    trial.now = .seconds(600)
    #expect(trial.step(verdict) == .passOver)
    var pauses: [Duration] = []
    for _ in 0..<20 {
      let next = trial.policy.nextDue ?? .zero
      pauses.append(next - trial.now)
      trial.now = next
      trial.acceptAnother()
      #expect(trial.step(verdict) == .setAside)
    }
    #expect(
      pauses == [67, 134, 268, 536, 1_072, 2_144].map { .seconds($0) }
        + Array(repeating: .seconds(3_600), count: 14))
  }

  @Test(arguments: [DeliveryVerdict.retry("r"), .turnedAway("r")])
  func `a postponed batch is retried whole if no event was accepted since the postponement`(
    _ verdict: DeliveryVerdict
  ) {
    let batches = (0..<3).map { Journal.Position(count: 8 + $0) }
    var trial = Trial(4, UploadOptions().with { $0.events = 1 })
    _ = trial.step(verdict)
    trial.now = .seconds(600)
    for batch in batches { trial.policy.passOver([batch]) }
    let new = Journal.Position(count: 90)
    for _ in 0..<10 {
      #expect(trial.policy.retryFirst() == true)
      #expect(trial.policy.resting(at: trial.now) == Set(batches.dropFirst()))
      // A new event behind the batch is not passed over with it.
      trial.policy.beginBatch([batches[0], new])
      let attempt = trial.decide(verdict)
      #expect(attempt.step == .passOver && attempt.wait != nil)
      trial.policy.passOver([batches[0], new])
      #expect(trial.policy.resting(at: trial.now) == Set(batches))
    }
    #expect(trial.policy.retryFirst() == true)
    trial.policy.beginBatch([batches[0]])
    trial.acceptAnother()
    #expect(trial.policy.resting(at: trial.now) == [])
    trial.policy.beginBatch([batches[1]])
    #expect(trial.step(verdict) == .halve)
  }

  @Test
  func `RetryPolicy forgets a request's failures if events are removed or the queue is empty`() {
    for isLost in [true, false] {
      var trial = Trial(1)
      #expect(trial.step(.retry("r")) == .again)
      if isLost {
        #expect(trial.step(.partlyAccepted(refused: 1, reason: "r")) == .takeOut(lost: 1))
      } else {
        trial.policy.keep(isEmpty: true) { _ in [] }
      }
      trial.now = .seconds(3_600)
      #expect(trial.step(.retry("r")) == .again)
    }
  }

  @Test func `if the retry of a postponed batch fails, RetryPolicy postpones the batch again`() {
    var trial = Trial(1)
    trial.policy.passOver([Self.position])
    trial.acceptAnother()
    trial.policy.beginBatch([Self.position])
    var steps: [RetryPolicy.Step] = []
    for number in 0..<8 {
      var part = Self.part(1)
      let position = Journal.Position(count: UInt64(number + 1) * 8)
      steps.append(
        trial.policy.decide(
          .retry("r"), on: &part, alone: position, isEnding: false, now: .zero
        ).step)
    }
    #expect(steps.contains(.passOver) && steps.first == .setAside)
  }

  @Test func `an event counts as refused after ten equal unclear responses over ten minutes`() {
    var trial = Trial(1)
    for count in 1...9 {
      #expect(trial.step(.unclear("r")) == .setAside, "\(count)")
      #expect(trial.policy.resting(at: trial.now) == [Self.position])
      trial.now = trial.policy.nextDue ?? .zero
      #expect(trial.policy.resting(at: trial.now) == [])
      trial.acceptAnother()
    }
    #expect(trial.now >= .seconds(600) && trial.policy.isAlone(Self.position))
    #expect(trial.step(.unclear("r")) == .refuse)
    #expect(!trial.policy.isAlone(Self.position))
  }

  @Test func `an event isn't refused if its unclear responses vary or no other event is accepted`()
  {
    var alone = Trial(1)
    var others = Trial(1)
    var soon = Trial(1)
    for count in 1...100 {
      #expect(alone.step(.unclear("r")) == .setAside)
      alone.now += .seconds(100)
      #expect(others.step(.unclear("r\(count % 2)")) == .setAside)
      others.now += .seconds(100)
      others.acceptAnother()
      #expect(soon.step(.unclear("r")) == .setAside)
      soon.now += .seconds(5)
      soon.acceptAnother()
    }
    // An accepted event is not remembered.
    #expect(soon.step(.accepted) == .takeOut(lost: 0))
    #expect(soon.policy.nextDue == nil)
  }

  @Test func `an event that is set aside after an unclear response doesn't delay other events`() {
    var trial = Trial(1)
    trial.acceptAnother()
    for _ in 0..<3 { #expect(trial.decide(.unclear("r")).wait == nil) }
    #expect(trial.policy.failures == 0)
  }

  @Test func `the retry interval of set-aside events grows, and resets once an event is accepted`()
  {
    var trial = Trial(1)
    var pauses: [Duration] = []
    for _ in 0..<12 {
      _ = trial.step(.unclear("r"))
      let next = trial.policy.nextDue ?? .zero
      pauses.append(next - trial.now)
      trial.now = next
    }
    #expect(
      pauses == Array(repeating: .seconds(67), count: 8)
        + [128, 256, 300, 300].map { .seconds($0) })
    trial.acceptAnother()
    _ = trial.step(.unclear("r"))
    #expect(trial.policy.nextDue == trial.now + .seconds(67))
  }

  @Test func `RetryPolicy forgets a set-aside event once the event has left the queue`() {
    var trial = Trial(1)
    _ = trial.step(.unclear("r"))
    trial.policy.keep(isEmpty: false) { Set($0) }
    #expect(trial.policy.isAlone(Self.position))
    trial.policy.keep(isEmpty: true) { _ in [] }
    #expect(!trial.policy.isAlone(Self.position))
  }

  /// The error of a request whose time was over while it was being sent.
  private static let late: TransportError = {
    var error = TransportError(.unsent, "the network took too long")
    error.isLateWhileSending = true
    return error
  }()

  @Test func `a request that times out twice in a row while being sent is halved`() {
    let verdict = DeliveryVerdict.retry("the network took too long")
    var trial = Trial(4)
    let first = trial.decide(verdict, Self.late)
    #expect(first.step == .again && first.wait == nil)
    let second = trial.decide(verdict, Self.late)
    #expect(second.step == .halve && second.wait == nil)
    #expect(trial.policy.ceiling.bytes == 200)
    // Something else in between.
    trial = Trial(4)
    #expect(trial.step(verdict, Self.late) == .again)
    #expect(trial.step(verdict) == .again)
    #expect(trial.step(verdict, Self.late) == .again)
    // A single event is never refused for that, and others do not wait for it.
    trial = Trial(1)
    for _ in 0..<100 {
      #expect(trial.step(verdict, Self.late) == .again)
      #expect(trial.step(verdict, Self.late) == .setAside)
      #expect(trial.policy.nextDue == trial.now + .seconds(67))
      trial.now += .seconds(67)
      trial.acceptAnother()
    }
    #expect(trial.policy.ceiling.bytes == .max)
  }

  @Test func `a request is halved if its connection ends twice while the request is being sent`() {
    var error = TransportError(.unsent, "the connection was lost")
    error.isCutWhileSending = true
    let verdict = DeliveryVerdict.retry("the connection was lost")
    var trial = Trial(4)
    let first = trial.decide(verdict, error)
    #expect(first.step == .again && first.wait?.limit == .seconds(1))
    let second = trial.decide(verdict, error)
    #expect(second.step == .halve && second.wait == nil)
    #expect(trial.policy.ceiling.bytes == 200)
    trial = Trial(1)
    #expect(trial.step(verdict, error) == .again)
    #expect(trial.step(verdict, error) == .setAside)
  }

  @Test func `failed inquiries about a table and failed uploads have separate backoffs`() {
    var trial = Trial(4)
    for seconds in [1, 2, 4, 8] {
      let wait = trial.policy.wait(after: .retry("r"), nil, false, isInquiry: true)
      #expect(wait.limit == .seconds(seconds))
    }
    trial.policy.noteInquired()
    for seconds in [1, 2, 4, 8] {
      #expect(trial.decide(.turnedAway("r")).wait?.limit == .seconds(seconds))
      trial.policy.noteInquired()
    }
  }

  @Test func `the backoff limit doubles with each failure, from one second to five minutes`() {
    var trial = Trial(4)
    let limits = (0..<12).map { _ in trial.decide(.retry("r")).wait?.limit }
    #expect(limits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
    trial.acceptAnother()
    #expect(trial.decide(.retry("r")).wait?.limit == .seconds(1))
  }

  @Test func `a flush ends a retry wait only if the server sent no response`() {
    let error = TransportError(.unsent, "no network")
    var trial = Trial(4)
    #expect(trial.decide(.retry("r"), error).wait?.endsAtFlush == true)
    #expect(trial.decide(.retry("r")).wait?.endsAtFlush == false)
    #expect(trial.decide(.turnedAway("r")).wait?.endsAtFlush == false)
    #expect(trial.decide(.unclear("r")).wait?.endsAtFlush == false)
  }

  @Test func `a shutdown ends after ten failures in a row`() {
    var trial = Trial(4)
    for _ in 0..<9 { _ = trial.decide(.retry("r"), isEnding: true) }
    #expect(!trial.policy.isOver)
    _ = trial.decide(.retry("r"), isEnding: true)
    #expect(trial.policy.isOver)
    trial.acceptAnother()
    #expect(!trial.policy.isOver)
  }
}
