internal import Ambient
internal import Foundation

/// The loop of an uploader's task, which waits until events are due, sends them, and repeats.
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

  let uploader: Uploader
  /// The uptime at which the oldest waiting event was first seen.
  private var firstSeen: Duration?
  /// The number of failed attempts in a row.
  private var failures = 0
  /// The number of failed attempts in a row since the shutdown began.
  private var failuresAtEnd = 0
  /// The number of single events that were refused in a row.
  private var refusals = 0
  /// The number of requests in a row whose outcome is unknown.
  private var doubts = 0
  /// Whether the destination's inquiry, if it has one, was accepted.
  private var isInquired = false
  /// The limit of a request's size, as learned from the server.
  private var ceiling = RequestCeiling()
  /// The pause before the next request; it goes on even if the queue changes meanwhile.
  private var rest: Rest?
  /// The value of `uploader.generation` just before the inquiry, or before the records being sent
  /// were read; nil outside of `sendWaiting`. A different value now means that other code has
  /// removed records.
  private var generation: Int?

  /// The maximum number of failed attempts in a row during a shutdown; after that, waiting events
  /// are left to the next start. With a deadline of half a minute, the growing waits between ten
  /// attempts fill most of that time. Meanwhile, a server can restart.
  private static var mostAtEnd: Int { 10 }

  private struct Rest {
    let end: Duration
    /// Whether the server asked for the pause.
    let isDemanded: Bool
    /// Whether the pause began during the shutdown.
    let isAtEnd: Bool
  }

  init(_ uploader: Uploader) { self.uploader = uploader }

  private var options: UploadOptions { uploader.options }

  /// Whether the queue must be read again. It must if other code has removed records since
  /// `generation` was read, or if sending is no longer allowed, for example because consent was
  /// denied.
  private var isChanged: Bool {
    guard let generation else { return false }
    return uploader.generation != generation || !uploader.isAllowed()
  }

  mutating func run() async {
    var isWanted = false
    while !Task.isCancelled {
      let orders = uploader.takeOrders()
      let isEnding = orders.end != nil
      let expiry = uploader.refused.expire(now: Time.now)
      isWanted = isWanted || orders.isFlushing || isEnding
      if !uploader.isAllowed() {
        if isEnding { return }
        await waitForConsent(expiry)
        continue
      }
      guard let wait = timeUntilDue(isWanted) else {
        if isEnding { return }
        await waitForRing(atMost: expiry)
        continue
      }
      if wait > .zero {
        await uploader.bell.wait(atMost: wait)
        continue
      }
      firstSeen = nil
      switch await sendWaiting() {
      case .stopped: return
      case .changed: continue
      case .empty where isEnding: return
      case .empty: await uploader.bell.wait(atMost: max(options.interval, .seconds(1)))
      case .done: break
      }
      isWanted = false
    }
  }

  /// Waits for a ring of the bell, for at most `expiry` or one second, whichever is longer.
  /// `expiry` is the time until the next event becomes too old; without it, the wait has no limit.
  private func waitForRing(atMost expiry: Duration?) async {
    guard let expiry else { return await uploader.bell.wait() }
    await uploader.bell.wait(atMost: max(expiry, .seconds(1)))
  }

  /// Waits for a ring of the bell while sending is not allowed, and drops events that become too
  /// old.
  ///
  /// - Parameter expiry: The time until the next refused event becomes too old; nil if there is no
  ///   refused event, or no limit of age.
  private func waitForConsent(_ expiry: Duration?) async {
    guard uploader.journal.maximumAge != nil else { return await uploader.bell.wait() }
    let left = uploader.journal.expire(now: Time.now)
    uploader.countWaiting()
    uploader.forgetTroubleIfEmpty()
    await waitForRing(atMost: [left, expiry].compactMap(\.self).min())
  }

  /// Returns the time until the waiting events must be uploaded; nil if no event waits. The events
  /// wait for `options.interval`, unless they fill a batch, or an upload was demanded (`isWanted`).
  private mutating func timeUntilDue(_ isWanted: Bool) -> Duration? {
    // The events are counted before the queue is read. An event that is appended between the two
    // steps does not always wake the loop, but the read finds it.
    uploader.countWaiting()
    let waiting = uploader.journal.waiting
    if waiting.count == 0 {
      firstSeen = nil
      uploader.forgetTroubleIfEmpty()
      return nil
    }
    if isWanted || waiting.count >= options.events || waiting.bytes >= options.bytes {
      return .zero
    }
    let now = Time.uptime
    let since = firstSeen ?? now
    firstSeen = since
    return max(.zero, since + options.interval - now)
  }

  /// Sends all events that wait now.
  private mutating func sendWaiting() async -> Ending {
    guard await takeRest() else { return .stopped }
    defer { generation = nil }
    uploader.forgetNews()
    var left = uploader.journal.count
    while left > 0, !Task.isCancelled {
      // The inquiry comes before the batch is read, because its waits may last for hours, in which
      // events become too old.
      generation = uploader.generation
      let inquired = await inquire()
      guard inquired == .done else { return inquired }
      let now = Time.now
      // The generation is read before the batch, so that an erasure between the two reads is
      // noticed.
      generation = uploader.generation
      let records = uploader.journal.batch(
        maximumCount: options.events, maximumBytes: options.bytes, now: now)
      guard !records.isEmpty else {
        // The remaining events may have been dropped as too old.
        uploader.forgetTroubleIfEmpty()
        return .empty
      }
      left -= records.count
      let ending = await sendRecords(records, now: now)
      guard ending == .done else { return ending }
    }
    return .done
  }

  /// Pauses before the next attempt with the same records.
  ///
  /// - Parameter isDemanded: Whether the server asked for the pause.
  /// - Returns: Whether the loop goes on.
  private mutating func pause(_ duration: Duration, isDemanded: Bool) async
    -> Bool
  {
    rest = Rest(
      end: Time.uptime.plus(duration), isDemanded: isDemanded, isAtEnd: uploader.end != nil)
    return await takeRest()
  }

  /// Waits until the pause is over, or until the queue must be read again; returns whether the loop
  /// goes on.
  private mutating func takeRest() async -> Bool {
    while let rest, !Task.isCancelled {
      if isChanged {
        // The queue must be read again first; the next call of `sendWaiting` continues the pause.
        return true
      }
      let left = rest.end - Time.uptime
      if left <= .zero { break }
      if let end = uploader.end {
        // A pause that began before the shutdown, and that the server did not ask for, ends now,
        // for one more attempt.
        guard rest.isAtEnd || rest.isDemanded else { break }
        if failuresAtEnd >= Self.mostAtEnd || ContinuousClock.now + left >= end { return false }
      }
      if Time.instance.standsStill {
        // Frozen time does not reach the end of the pause by itself. The next ring of the bell ends
        // the pause instead; a shutdown ends the loop.
        if uploader.end != nil { return false }
        await uploader.bell.wait()
        break
      }
      await uploader.bell.wait(atMost: left)
    }
    rest = nil
    return !Task.isCancelled
  }
}

extension UploadLoop {
  /// After more than this number of refused single events in a row, an earlier acceptance no longer
  /// proves that the server works, and the loop waits after each refusal.
  private static var mostRefusals: Int { 100 }

  /// The time after which a failing request is prepared again. The preparation drops the events
  /// that have become too old for the destination. The time is longer than the longest wait that a
  /// server may ask for by default (`longestRetryAfter`), so that such a wait causes no new
  /// preparation. Two hours are short enough, because destinations accept events that are days old.
  private static var longestPrepared: Duration { .seconds(7_200) }

  /// Sends the records of one batch of the queue, request by request, in order.
  private mutating func sendRecords(_ records: [Journal.Record], now: Date) async
    -> Ending
  {
    let destination = uploader.destination
    var limits = destination.limits
    limits.events = min(limits.events, options.events)
    limits.bytes = min(limits.bytes, max(options.bytes, 1), ceiling.bytes)
    let batches = UploadBatch.batches(of: records, for: destination, limits, now: now) {
      refuse(records[$0], $1.description, detail: "")
    }
    return await sendBatches(batches, limits, of: records, now)
  }

  /// Sends the request `inquiry` of the destination until the server accepts it. No event is sent
  /// before that.
  private mutating func inquire() async -> Ending {
    let destination = uploader.destination
    while !isInquired, let inquiry = destination.inquiry {
      if Task.isCancelled { return .stopped }
      if isChanged { return .changed }
      // Events become too old while the server accepts no inquiry.
      _ = uploader.journal.expire(now: Time.now)
      guard uploader.journal.count > 0 else {
        uploader.forgetTroubleIfEmpty()
        return .empty
      }
      let verdict = await exchange(inquiry) { result -> DeliveryVerdict? in
        switch result {
        case .success(let answer): destination.verdict(onInquiry: answer, now: Time.now)
        case .failure(let error):
          Task.isCancelled ? nil : .retry(error.reason, detail: error.detail)
        }
      }
      let goesOn: Bool
      switch verdict {
      case nil:
        if uploader.end != nil { noteTrouble("no answer before the program's end", "") }
        return .stopped
      case .accepted, .partlyAccepted:
        isInquired = true
        failures = 0
        return .done
      case .retry(let reason, let after, let detail):
        goesOn = await waitAfter(reason, detail, demand: after, isTurnedAway: false)
      case .turnedAway(let reason, let detail), .refused(let reason, let detail),
        .tooLarge(let reason, let detail), .abandoned(let reason, let detail):
        goesOn = await waitAfter(reason, detail, demand: nil, isTurnedAway: true)
      }
      guard goesOn else { return .stopped }
    }
    return .done
  }

  /// Sends batches until each event is delivered, is lost, or is a suspect (`UnprovenRefusals`).
  /// Halves refused batches.
  private mutating func sendBatches(
    _ batches: [UploadBatch], _ limits: RequestLimits, of records: [Journal.Record],
    _ prepared: Date
  ) async -> Ending {
    // The batches are in reverse order: the next batch is the last element.
    var parts = Array(batches.reversed())
    var suspects = UnprovenRefusals()
    while let part = parts.last {
      if Task.isCancelled { return .stopped }
      if isChanged { return .changed }
      let sent = part.entries.map { records[$0.index] }
      if part.bytes > ceiling.bytes, sent.count > 1 {
        // The ceiling was lowered after this batch was made.
        parts.removeLast()
        parts += halves(of: part, limits)
        continue
      }
      if failures > 0, isStale(sent, prepared) { return .changed }
      let verdict = await sendOnce(part, sent.map(\.bytes))
      switch verdict {
      case nil:
        if uploader.end != nil { noteTrouble("no answer before the program's end", "") }
        return .stopped
      case .accepted:
        parts.removeLast()
        noteAccepted(part)
        parts += suspects.noteAccepted()
        uploader.ledger.noteAcceptance()
        takeOut(sent)
      case .partlyAccepted(let count, let reason, let detail):
        parts.removeLast()
        noteAccepted(part)
        let refused = min(max(0, count), sent.count)
        if refused < sent.count {
          parts += suspects.noteAccepted()
          uploader.ledger.noteAcceptance()
        } else {
          uploader.ledger.forgetTrouble(isAnswered: true)
        }
        takeOut(sent, lost: refused, reason, detail: detail)
      case .refused(let reason, let detail):
        parts.removeLast()
        guard sent.count == 1 else {
          parts += halves(of: part, limits)
          continue
        }
        guard await judge(part, sent, reason, detail, &suspects) else {
          return .stopped
        }
      case .tooLarge(let reason, let detail):
        parts.removeLast()
        guard sent.count == 1 else {
          ceiling.noteTooLarge(part.bytes)
          parts += halves(of: part, limits)
          continue
        }
        let words = detail.isEmpty ? "too large for the server" : detail
        guard await judge(part, sent, reason, words, &suspects) else {
          return .stopped
        }
      case .retry(let reason, let after, let detail):
        guard await waitAfter(reason, detail, demand: after, isTurnedAway: false) else {
          return .stopped
        }
      case .abandoned(let reason, let detail):
        parts.removeLast()
        // The failure is recorded with the number of events that wait. Events tracked from here on
        // have nothing to do with this failure and must not be included. Therefore the number is
        // computed from a count that is taken before the sent events are removed.
        let before = uploader.journal.count
        let dropped = takeOut(sent, lost: sent.count, reason, detail: detail, named: sent.first)
        guard
          await waitAfter(
            reason, detail, demand: nil, isTurnedAway: false, waiting: max(0, before - dropped))
        else { return .stopped }
      case .turnedAway(let reason, let detail):
        guard await waitAfter(reason, detail, demand: nil, isTurnedAway: true) else {
          return .stopped
        }
        isInquired = uploader.destination.inquiry == nil
        guard isInquired else { return .changed }
      }
    }
    guard let (reason, detail) = suspects.refusal else { return .done }
    return await waitInDoubt(reason, detail) ? .changed : .stopped
  }

  /// Removes a refused single event from the queue if the refusal proves that the event is at
  /// fault; otherwise keeps it as a suspect. Returns whether the loop goes on.
  private mutating func judge(
    _ part: UploadBatch, _ sent: [Journal.Record], _ reason: String, _ detail: String,
    _ suspects: inout UnprovenRefusals
  ) async -> Bool {
    refusals += 1
    let isLate = refusals > Self.mostRefusals
    if suspects.blames(part, reason, detail: detail, isLate: isLate) {
      failures = 0
      for record in sent { refuse(record, reason, detail: detail) }
      return true
    }
    // While a server refuses everything because of a wrong set-up, the wait limits the number of
    // requests.
    return isLate ? await waitInDoubt(reason, detail) : true
  }

  /// Removes events from the queue, and counts them in the same step: `lost` events as lost for the
  /// reason, the other events as delivered.
  ///
  /// Events that were erased or have expired meanwhile are not counted. The server does not say
  /// which events it refused, so each of these events is assumed to be an accepted one. Therefore
  /// `lost` of the remaining events count as lost, or all of them if fewer than `lost` remain.
  ///
  /// - Parameter named: The event that a report of the loss names.
  /// - Returns: The number of counted events.
  @discardableResult
  private func takeOut(
    _ records: [Journal.Record], lost: Int = 0, _ reason: String = "", detail: String = "",
    named: Journal.Record? = nil
  ) -> Int {
    let ledger = uploader.ledger
    let key = lost > 0 ? ledger.key(for: reason) : ""
    var losses = 0
    let total = uploader.journal.acknowledge(records.map(\.position)) { count in
      let lost = min(count, lost - losses)
      losses += lost
      ledger.count(delivered: count - lost, lost: lost, key)
    }
    ledger.tellLoss(of: losses, key, reason, detail: detail, record: named?.bytes)
    return total
  }

  private mutating func noteAccepted(_ part: UploadBatch) {
    (failures, failuresAtEnd, refusals) = (0, 0, 0)
    ceiling.noteAccepted(part.bytes)
  }

  /// Whether a record has become too old for the queue, or all records were prepared so long ago
  /// that the destination may refuse them as old.
  private func isStale(_ records: [Journal.Record], _ prepared: Date) -> Bool {
    let now = Time.now
    if .seconds(now.timeIntervalSince(prepared)) >= Self.longestPrepared { return true }
    guard let age = uploader.journal.maximumAge else { return false }
    return records.contains { .seconds(now.timeIntervalSince($0.date)) > age }
  }

  /// The halves of a batch in reverse order, since `sendBatches` sends the last batch first.
  private func halves(of part: UploadBatch, _ limits: RequestLimits) -> [UploadBatch] {
    let overhead = uploader.destination.overhead(of: part.group)
    let (first, second) = part.halves(limits, overhead: overhead)
    return [second, first]
  }

  /// Counts a refused event as lost, and moves it to the file of refused events.
  private func refuse(_ record: Journal.Record, _ reason: String, detail: String) {
    // The event is written to the file of refused events before it leaves the queue. If the process
    // ends between the two steps, the file and the queue both contain the event.
    let place = uploader.refused.keep(record)
    let counted = takeOut([record], lost: 1, reason, detail: detail, named: record)
    // If the event was erased meanwhile, or removed because consent was denied, the file must not
    // keep it.
    if counted == 0, let place { uploader.refused.takeBack(from: place) }
  }

  /// Sends a batch once and returns the verdict. If the result is nil, the batch is left to the
  /// next start.
  private mutating func sendOnce(_ part: UploadBatch, _ records: [[UInt8]]) async
    -> DeliveryVerdict?
  {
    let destination = uploader.destination
    var request = destination.request(part.entries.map(\.bytes), group: part.group)
    // The system's HTTP stack must not itself repeat a request that must not be sent twice, or
    // whose repetitions are limited.
    let unknown = TransportError(.unknown, "the connection was lost")
    if case .abandoned = destination.verdict(on: unknown, group: part.group) {
      request.isRepeatable = false
    } else if options.repeatsInDoubt != nil {
      request.isRepeatable = false
    }
    var doubt: String?
    let verdict = await exchange(request, records) { result in
      switch result {
      case .success(let answer):
        if answer.isWebPageOfSuccess { doubt = "a web page, which no collector answers" }
        return destination.verdict(on: answer, now: Time.now)
      case .failure(let error):
        if error.outcome == .unknown { doubt = error.description }
        return self.verdict(on: error, part)
      }
    }
    doubts = doubt == nil ? 0 : doubts + 1
    guard let doubt, let most = options.repeatsInDoubt, doubts > most else { return verdict }
    doubts = 0
    if case .accepted = verdict { return verdict }
    return .inDoubt(detail: doubt)
  }

  /// Makes one exchange, and returns the verdict of the parameter `judge`. If the shutdown's
  /// deadline has passed, makes no exchange and returns nil.
  private func exchange(
    _ request: OutgoingRequest, _ records: [[UInt8]] = [],
    _ judge: (Result<HTTPAnswer, TransportError>) -> DeliveryVerdict?
  ) async -> DeliveryVerdict? {
    let (destination, transport) = (uploader.destination, uploader.transport)
    var limits = options.exchange
    if let end = uploader.end {
      let left = end - ContinuousClock.now
      guard left > .zero else { return nil }
      limits.duration = min(limits.duration, left)
    }
    do throws(TransportError) {
      var answer = try await transport.exchange(request, limits)
      answer.secrets = { Secrets(destination.secrets, words: EventWords.of(records)) }
      return judge(.success(answer))
    } catch {
      return judge(.failure(error))
    }
  }

  /// The verdict on a request that got no answer. Nil if the loop was cancelled and the request may
  /// be sent again: the batch is then left to the next start.
  private func verdict(on error: TransportError, _ part: UploadBatch) -> DeliveryVerdict? {
    let verdict = uploader.destination.verdict(on: error, group: part.group)
    // `abandoned` means that the events must not be sent again. They count as lost, even if the
    // loop was cancelled.
    if case .abandoned = verdict { return verdict }
    return Task.isCancelled ? nil : verdict
  }

  private func noteTrouble(
    _ reason: String, _ detail: String, isTurnedAway: Bool = false, waiting: Int? = nil
  ) {
    uploader.ledger.noteTrouble(
      reason, detail: detail, isTurnedAway: isTurnedAway,
      waiting: waiting ?? uploader.journal.count, now: Time.now)
  }

  /// Waits after refusals that do not prove which event is at fault; returns whether the loop goes
  /// on.
  private mutating func waitInDoubt(
    _ reason: String, _ detail: String
  ) async -> Bool {
    let history = uploader.ledger.hasEverDelivered ? "" : ", and it has never accepted any"
    return await waitAfter(
      "\(reason) for every \(uploader.noun)\(history)", detail, demand: nil, isTurnedAway: true)
  }

  /// Records a failed attempt, and waits; returns whether the loop goes on.
  private mutating func waitAfter(
    _ reason: String, _ detail: String, demand: Duration?, isTurnedAway: Bool,
    waiting: Int? = nil
  ) async -> Bool {
    let end = uploader.end
    failures += 1
    if end != nil { failuresAtEnd += 1 }
    noteTrouble(reason, detail, isTurnedAway: isTurnedAway, waiting: waiting)
    let time = Time.instance
    // If the server turned the request away, the set-up seems to be wrong. It will not be corrected
    // before the program ends, so another attempt is useless. The loop goes on only if the queue
    // must be read again.
    if isTurnedAway, end != nil { return uploader.generation != generation }
    let wait: Duration
    if let end {
      // The wait is at most a quarter of the remaining time, so that several attempts fit into that
      // time. It is at least half of its maximum, `longest`, so that the attempts are not used up
      // at once.
      let left = max(.zero, end - ContinuousClock.now)
      let longest = min(options.backoffLimit(afterFailures: failuresAtEnd), left / 4)
      wait = longest / 2 + time.randomPart(of: longest / 2)
    } else {
      wait = time.randomPart(of: options.backoffLimit(afterFailures: failures))
    }
    let demanded = min(demand ?? .zero, options.longestRetryAfter)
    return await pause(max(wait, demanded), isDemanded: demanded > wait)
  }
}
