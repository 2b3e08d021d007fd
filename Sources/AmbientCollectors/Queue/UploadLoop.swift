// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The loop of a collector's task, which waits until events are due, sends them, and repeats.
struct UploadLoop {
  enum Ending {
    /// Each event of the delivery was delivered or counted as lost.
    case done
    /// The queue returned no events.
    case empty
    /// Other code changed the queue, or sending is no longer allowed: the loop reads the queue
    /// again.
    case changed
    /// The loop must end: the task was cancelled, or the shutdown allows no further attempt.
    /// Waiting events are left to the next start.
    case stopped
  }

  let engine: CollectorEngine
  /// The uptime at which the oldest waiting event was first seen.
  private var firstSeen: Duration?
  private var policy: RetryPolicy
  /// Whether the destination's inquiry, if it has one, was accepted.
  private var isInquired = false
  /// The pause before the next request; it continues even if the queue changes meanwhile.
  private var rest: Rest?
  /// The value of `engine.generation` just before the inquiry, or before the records being sent
  /// were read; nil outside of `sendWaiting`. A different value now means that other code has
  /// removed records.
  private var generation: Int?

  /// The uptime at which a flush ended a pause.
  private var latestFlush: Duration?
  /// The number of flushes when the last request was sent.
  private var flushes = 0

  private struct Rest {
    let end: Duration
    let wait: RetryPolicy.Wait
    /// Whether the server asked for the pause.
    let isDemanded: Bool
    /// Whether the pause began during the shutdown.
    let isAtEnd: Bool
  }

  init(_ engine: CollectorEngine) {
    self.engine = engine
    policy = RetryPolicy(engine.options)
  }

  private var options: UploadOptions { engine.options }

  /// Whether the queue must be read again. It must if other code has removed records since
  /// `generation` was read, or if sending is no longer allowed, for example because consent was
  /// denied.
  private var isChanged: Bool {
    guard let generation else { return false }
    return engine.generation != generation || !engine.isSendingAllowed
  }

  mutating func run() async {
    var isWanted = false
    while !Task.isCancelled {
      let journal = engine.queue.journal
      policy.keep(isEmpty: journal.count == 0, journal.waiting(of:))
      engine.ledger.note(setAside: policy.setAside)
      let orders = engine.takeOrders()
      let isEnding = orders.end != nil
      let now = Time.now
      let expiry = engine.queue.refused.expire(now: now)
      isWanted = isWanted || orders.isFlushing || isEnding
      if !engine.isSendingAllowed {
        if isEnding { return }
        // Events become too old while they wait for consent.
        let left = engine.queue.journal.expire(now: now)
        engine.countWaiting()
        engine.forgetTroubleIfEmpty()
        await waitForRing(atMost: [left, expiry].compactMap(\.self).min())
        continue
      }
      guard let wait = timeUntilDue(isWanted) else {
        if isEnding { return }
        await waitForRing(atMost: expiry)
        continue
      }
      if wait > .zero {
        await engine.bell.wait(atMost: wait)
        continue
      }
      firstSeen = nil
      switch await sendWaiting() {
      case .stopped: return
      case .changed: continue
      case .empty where isEnding: return
      case .empty: await engine.bell.wait(atMost: max(options.interval, .seconds(1)))
      case .done: break
      }
      isWanted = false
    }
  }

  /// Waits for a ring of the bell, for at most `expiry` or one second, whichever is longer.
  /// `expiry` is the time until the next event becomes too old; without it, the wait has no limit.
  private func waitForRing(atMost expiry: Duration?) async {
    guard let expiry else { return await engine.bell.wait() }
    await engine.bell.wait(atMost: max(expiry, .seconds(1)))
  }

  /// Returns the time until the waiting events must be uploaded; nil if no event waits. The events
  /// wait for `options.interval`, unless they fill a batch, or an upload was demanded (`isWanted`).
  private mutating func timeUntilDue(_ isWanted: Bool) -> Duration? {
    let now = Time.uptime
    let resting = policy.resting(at: now).count
    let waiting = engine.countWaiting(without: resting)
    if waiting.count == 0 {
      firstSeen = nil
      engine.forgetTroubleIfEmpty()
      return nil
    }
    if waiting.count <= resting {
      if policy.retryFirst() { return timeUntilDue(isWanted) }
      // All events are set aside. At the end, they are left to the next start.
      firstSeen = nil
      return engine.end == nil ? policy.nextDue.map { $0 - now } : nil
    }
    if isWanted || waiting.count >= options.events || waiting.bytes >= options.bytes {
      return .zero
    }
    let since = firstSeen ?? now
    firstSeen = since
    return max(.zero, since.plus(options.interval) - now)
  }

  /// Sends all events that wait now.
  private mutating func sendWaiting() async -> Ending {
    guard await takeRest() else { return .stopped }
    defer { generation = nil }
    engine.forgetNews()
    let journal = engine.queue.journal
    var left = journal.count - policy.resting(at: Time.uptime).count
    while left > 0, !Task.isCancelled {
      // The inquiry comes before the batch is read, because its waits may last for hours, in which
      // events become too old.
      generation = engine.generation
      let inquired = await inquire()
      guard inquired == .done else { return inquired }
      let now = Time.now
      // The generation is read before the batch, so that an erasure between the two reads is
      // noticed.
      generation = engine.generation
      let records = journal.batch(
        maximumCount: options.events, maximumBytes: options.bytes, now: now,
        without: policy.resting(at: Time.uptime))
      guard !records.isEmpty else {
        // The remaining events may have been dropped as too old.
        engine.forgetTroubleIfEmpty()
        return .empty
      }
      left -= records.count
      let ending = await sendRecords(records, prepared: now)
      guard ending == .done else { return ending }
    }
    return .done
  }

  /// Waits until the pause is over, or until the queue must be read again; returns whether the loop
  /// continues.
  private mutating func takeRest() async -> Bool {
    while let rest, !Task.isCancelled {
      if isChanged {
        // The queue must be read again first; the next call of `sendWaiting` continues the pause.
        return true
      }
      let now = Time.uptime
      var left = rest.end - now
      if left <= .zero { break }
      if rest.wait.endsAtFlush, engine.flushes != flushes {
        let sinceFlush = latestFlush.map { now - $0 } ?? .seconds(1)
        if sinceFlush >= .seconds(1) {
          (latestFlush, flushes) = (now, engine.flushes)
          break
        }
        left = min(left, .seconds(1) - sinceFlush)
      }
      if let end = engine.end {
        // A pause that began before the shutdown, and that the server did not ask for, ends now,
        // for one more attempt.
        guard rest.isAtEnd || rest.isDemanded else { break }
        if policy.isOver || RealTime.now + left >= end { return false }
      }
      if Time.instance.standsStill {
        // Frozen time does not reach the end of the pause by itself. The next ring of the bell ends
        // the pause instead; a shutdown ends the loop.
        if engine.end != nil { return false }
        await engine.bell.wait()
        break
      }
      await engine.bell.wait(atMost: left)
    }
    rest = nil
    return !Task.isCancelled
  }
}

extension UploadLoop {
  /// The time after which a failing request is prepared again. The preparation drops the events
  /// that have become too old for the destination. The time is longer than the longest wait that a
  /// server may ask for by default (`longestRetryAfter`), so that such a wait causes no new
  /// preparation. Two hours are short enough, because destinations accept events that are days old.
  private static var longestPrepared: TimeInterval { 7_200 }

  /// The destination, if it asks its server a question before events are sent.
  private var inquiring: (any InquiringDestination)? {
    engine.destination as? any InquiringDestination
  }

  /// Sends the request `inquiry` of an ``InquiringDestination`` until the server accepts it. No
  /// event is sent before that.
  private mutating func inquire() async -> Ending {
    guard let destination = inquiring else { return .done }
    while !isInquired, let inquiry = destination.inquiry {
      if Task.isCancelled { return .stopped }
      if isChanged { return .changed }
      // Events become too old while the server accepts no inquiry.
      _ = engine.queue.journal.expire(now: Time.now)
      guard engine.queue.journal.count > 0 else {
        engine.forgetTroubleIfEmpty()
        return .empty
      }
      let (verdict, error): (DeliveryVerdict, TransportError?)
      switch await exchange(inquiry) {
      case .success(let answer):
        error = nil
        verdict = .brokenOff(answer) ?? destination.verdict(onInquiry: answer, now: Time.now)
      case .failure(let failure) where !Task.isCancelled:
        (verdict, error) = (.retry(failure.reason, detail: failure.detail), failure)
      case .failure, nil: return stopped()
      }
      guard !verdict.isAcceptance else {
        isInquired = true
        policy.noteInquired()
        return .done
      }
      let wait = policy.wait(after: verdict, error, engine.end != nil, isInquiry: true)
      guard await waitAfter(verdict.words, wait) else { return .stopped }
    }
    return .done
  }

  /// Ends the loop without an answer.
  private func stopped() -> Ending {
    if engine.end != nil { noteTrouble(("no answer before the program ended", "")) }
    return .stopped
  }

  /// Sends the records of one batch of the queue, in order, until each event is delivered, is lost,
  /// or stays in the queue as a suspect or for a later request of its own.
  private mutating func sendRecords(
    _ records: [Journal.Record], prepared: Date
  ) async -> Ending {
    var limits = engine.destination.limits
    limits.events = min(limits.events, options.events)
    limits.bytes = min(limits.bytes, options.bytes, policy.ceiling.bytes)
    let batches = UploadBatch.batches(
      of: records, for: engine.destination, limits, now: prepared, isAlone: policy.isAlone
    ) {
      refuse(records[$0], $1.description, detail: "")
    }
    // The batches are in reverse order: the next batch is the last element.
    var parts = Array(batches.reversed())
    let positions = records.map(\.position)
    policy.beginBatch(positions)
    // During a search for events with unclear answers, an acceptance does not end the failure.
    var isSearching = false
    while var part = parts.popLast() {
      if Task.isCancelled { return .stopped }
      if isChanged { return .changed }
      let sent = part.entries.map { records[$0.index] }
      // Since the batch was read, an unclear answer to another event may have put this one off.
      if sent.count == 1, policy.isResting(sent[0].position, at: Time.uptime) { continue }
      if part.bytes > policy.ceiling.bytes, sent.count > 1 {
        // The ceiling was lowered after this batch was made.
        parts += part.halves(limits)
        continue
      }
      if policy.failures > 0, isStale(sent, prepared) { return .changed }
      let (verdict, error) = await sendOnce(part, sent.map(\.bytes))
      guard let verdict else { return stopped() }
      let (step, wait) = policy.decide(
        verdict, on: &part, alone: sent.count == 1 ? sent[0].position : nil,
        isEnding: engine.end != nil, error, now: Time.uptime)
      engine.ledger.note(setAside: policy.setAside)
      let words = verdict.words
      var waiting: Int?
      switch step {
      case .takeOut(let lost):
        if lost < sent.count {
          parts += policy.takeSuspects()
          engine.ledger.noteAcceptance()
          if !isSearching { engine.ledger.noteRecovery(at: Time.uptime) }
        } else {
          engine.ledger.forgetTrouble(answeredAt: Time.uptime)
        }
        takeOut(sent, lost: lost, words)
      case .abandon:
        // The failure is recorded with the number of events that wait. Events tracked from here on
        // have nothing to do with this failure and must not be included. Therefore the number is
        // computed from a count that is taken before the sent events are removed.
        let before = engine.queue.journal.count
        waiting = max(0, before - takeOut(sent, lost: sent.count, words, named: sent.first))
      case .again: parts.append(part)
      case .later: parts.insert(part, at: 0)
      case .halve: parts += part.halves(limits)
      case .refuse: refuse(sent[0], words.reason, detail: words.detail)
      case .setAside where wait == nil && (policy.isProbing || error != nil):
        noteTrouble(words, isAside: true)
      case .suspect where wait != nil:
        // Many events were refused in a row, perhaps since they are of one kind. The events at the
        // other end of the batch may be of another kind.
        parts.reverse()
      case .suspect, .setAside: break
      case .passOver: policy.passOver(positions)
      }
      if case .unclear = part.isDoubtful ? verdict.ifDoubtful ?? verdict : verdict {
        isSearching = true
      }
      if let wait {
        guard await waitAfter(words, wait, waiting: waiting) else { return .stopped }
      }
      if case .turnedAway = verdict, step != .halve {
        isInquired = inquiring?.inquiry == nil
        if !isInquired, step == .again { return .changed }
      }
      if step == .passOver { return .changed }
    }
    if isSearching, policy.isWorking { engine.ledger.noteRecovery(at: Time.uptime) }
    guard let (words, wait) = policy.waitForProof(isEnding: engine.end != nil) else { return .done }
    policy.passOver(positions)
    return await waitAfter(words, wait) ? .changed : .stopped
  }

  /// Removes events from the queue, and counts them in the same step: `lost` events as lost for the
  /// reason, the other events as delivered.
  ///
  /// Events that were erased or have expired meanwhile are not counted. The server does not say
  /// which events it refused, so each of these events is assumed to be an accepted one. Therefore
  /// `lost` of the remaining events count as lost, or all of them if fewer than `lost` remain.
  ///
  /// - Parameters:
  ///   - named: The event that a report of the loss names.
  ///   - isKept: Whether the file of refused events has the events.
  /// - Returns: The number of counted events.
  @discardableResult
  private func takeOut(
    _ records: [Journal.Record], lost: Int = 0, _ words: (reason: String, detail: String),
    named: Journal.Record? = nil, isKept: Bool = false
  ) -> Int {
    let ledger = engine.ledger
    let key = lost > 0 ? ledger.key(for: words.reason) : ""
    var losses = 0
    let total = engine.queue.journal.acknowledge(records.map(\.position)) { count in
      let lost = min(count, lost - losses)
      losses += lost
      ledger.count(delivered: count - lost, lost: lost, key)
    }
    ledger.tellLoss(
      of: losses, key, words.reason, detail: words.detail, record: named?.bytes, isKept: isKept)
    return total
  }

  /// Whether a record has become too old for the queue, or all records were prepared so long ago
  /// that the destination may refuse them as old.
  private func isStale(_ records: [Journal.Record], _ prepared: Date) -> Bool {
    let now = Time.now
    if now.timeIntervalSince(prepared) >= Self.longestPrepared { return true }
    return records.contains { engine.queue.journal.isTooOld($0.date, now: now) }
  }

  /// Counts a refused event as lost, and moves it to the file of refused events.
  private func refuse(_ record: Journal.Record, _ reason: String, detail: String) {
    // The event is written to the file of refused events before it leaves the queue. If the process
    // ends between the two steps, the file and the queue both contain the event.
    let place = engine.queue.refused.keep(record)
    let counted = takeOut(
      [record], lost: 1, (reason, detail), named: record, isKept: place != nil)
    // If the event was erased meanwhile, or removed because consent was denied, the file must not
    // keep it.
    if counted == 0, let place { engine.queue.refused.takeBack(from: place) }
  }

  /// Sends a batch once. Returns the verdict, and the error if there was no answer. If the verdict
  /// is nil, the batch is left to the next start.
  private mutating func sendOnce(_ part: UploadBatch, _ records: [[UInt8]]) async
    -> (verdict: DeliveryVerdict?, TransportError?)
  {
    let destination = engine.destination
    var request = destination.request(part.entries.map(\.bytes), group: part.group)
    // The system's HTTP stack must not itself repeat a request that must not be sent twice, or
    // whose repetitions are limited.
    let lost = TransportError(.unknown, TransportError.lost)
    let verdictIfLost = destination.verdict(on: lost, group: part.group)
    if options.repeatsInDoubt != nil || verdictIfLost.isAbandonment { request.isRepeatable = false }
    switch await exchange(request, records) {
    case nil: return (nil, nil)
    case .success(let answer):
      var verdict = destination.verdict(on: answer, now: Time.now).showing(answer)
      var doubt = answer.isWebPageOfSuccess ? DeliveryVerdict.webPage : nil
      if case .retry(let reason, _, _, isInDoubt: true) = verdict {
        doubt = reason
        if verdictIfLost.isAbandonment { verdict = verdictIfLost }
      }
      return (policy.verdict(verdict, doubt: doubt), nil)
    case .failure(let error):
      var verdict: DeliveryVerdict? = destination.verdict(on: error, group: part.group)
      // `abandoned` means that the events must not be sent again. They count as lost, even if the
      // loop was cancelled.
      if Task.isCancelled, verdict?.isAbandonment == false { verdict = nil }
      let doubt = error.outcome == .unknown ? error.description : nil
      return (policy.verdict(verdict, doubt: doubt), error)
    }
  }

  /// Makes one exchange. Makes none, and returns nil, if the shutdown's deadline has passed, or if
  /// the collector is off.
  private mutating func exchange(
    _ request: OutgoingRequest, _ records: [[UInt8]] = []
  ) async -> Result<HTTPAnswer, TransportError>? {
    guard let transport = engine.transport else { return nil }
    let destination = engine.destination
    flushes = engine.flushes
    var limits = options.exchange
    if let end = engine.end {
      let left = end - RealTime.now
      guard left > .zero else { return nil }
      limits.duration = min(limits.duration, left)
    }
    do throws(TransportError) {
      var answer = try await transport.exchange(request, limits)
      answer.secrets = { Secrets(destination.secrets, words: EventWords.of(records)) }
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  /// The end of the reason of a refusal.
  ///
  /// - Parameter isKnown: Whether the server has ever accepted an event.
  static func words(of refusal: RetryPolicy.Wait.Refusal, _ noun: String, isKnown: Bool) -> String {
    switch (refusal, isKnown) {
    case (.ofOnlyEvent, true):
      " for a request with a single \(noun), which may be at fault, since the server has accepted others"
    case (.ofOnlyEvent, false):
      " for a request with a single \(noun); the server has not accepted any yet"
    case (.ofEveryEvent, true): " for every \(noun)"
    case (.ofEveryEvent, false): " for every \(noun); the server has not accepted any yet"
    }
  }

  private func noteTrouble(
    _ words: (reason: String, detail: String), isTurnedAway: Bool = false, isAside: Bool = false,
    waiting: Int? = nil
  ) {
    engine.ledger.noteTrouble(
      words.reason, detail: words.detail, isTurnedAway: isTurnedAway, isAside: isAside,
      waiting: waiting ?? engine.queue.journal.count, now: Time.now, uptime: Time.uptime)
  }

  /// Records a failed attempt, and waits; returns whether the loop continues.
  private mutating func waitAfter(
    _ words: (reason: String, detail: String), _ failure: RetryPolicy.Wait, waiting: Int? = nil
  ) async -> Bool {
    let end = engine.end
    var words = words
    var isTurnedAway = failure.isTurnedAway
    if let refusal = failure.refusal {
      let isKnown = engine.ledger.hasEverDelivered
      // If the server has accepted others, the event may be at fault as well as the settings.
      if isKnown, refusal == .ofOnlyEvent { isTurnedAway = false }
      words.reason += Self.words(of: refusal, engine.noun, isKnown: isKnown)
    }
    noteTrouble(words, isTurnedAway: isTurnedAway, waiting: waiting)
    let time = Time.instance
    // If the server turned the request away, the set-up seems to be wrong. It will not be corrected
    // before the program ends, so another attempt is useless. The loop continues only if the queue
    // must be read again.
    if failure.isTurnedAway, end != nil { return engine.generation != generation }
    let wait: Duration
    if let end {
      // The wait is at most a quarter of the remaining time, so that several attempts fit into that
      // time. It is at least half of its maximum, `longest`, so that the attempts are not used up
      // at once.
      let left = max(.zero, end - RealTime.now)
      let longest = min(failure.limit, left / 4)
      wait = longest / 2 + time.randomPart(of: longest / 2)
    } else {
      wait = time.randomPart(of: failure.limit)
    }
    let demanded = min(failure.demanded ?? .zero, options.longestRetryAfter)
    rest = Rest(
      end: Time.uptime.plus(max(wait, demanded)), wait: failure, isDemanded: demanded > wait,
      isAtEnd: engine.end != nil)
    return await takeRest()
  }
}
