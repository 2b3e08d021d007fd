// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The policy of retries: it decides, for each verdict, what happens to the events of the request,
/// and for how long the next request waits.
///
/// The policy is a value without a clock, a task or a file, so that a test can show its table.
struct RetryPolicy {
  /// What happens to the events of a request.
  enum Step: Equatable {
    /// They leave the queue: `lost` of them as lost, the others as delivered.
    case takeOut(lost: Int)
    /// They leave the queue as lost: another request could count them twice.
    case abandon
    /// The same request is sent again.
    case again
    /// The same request is sent again, after the other requests of the batch.
    case later
    /// The request is halved.
    case halve
    /// The only event of the request is at fault, and counts as refused.
    case refuse
    /// The only event of the request is a suspect: it is sent again after the next acceptance.
    case suspect
    /// The only event of the request is sent again later, and alone; the other events do not wait
    /// for it.
    case setAside
    /// The only event of the request is a suspect, or is set aside.
    ///
    /// The rest of the batch is passed over, so that the events behind the batch have their turn.
    case passOver
  }

  /// The wait after a failure. `limit` is the longest random part of it.
  struct Wait: Equatable {
    var limit: Duration
    /// The wait that the server asked for.
    var demanded: Duration?
    /// Whether the set-up seems to be wrong, so that no wait helps a program that ends.
    var isTurnedAway = false
    /// Whether the failure is that every event is refused, or the only one; nil for others.
    var refusal: Refusal?
    /// Whether a flush may end the wait, because no server has answered.
    var endsAtFlush = false

    enum Refusal { case ofOnlyEvent, ofEveryEvent }
  }

  let options: UploadOptions
  /// The number of failed attempts in a row, without those of the inquiry.
  private(set) var failures = 0
  /// The number of failed inquiries in a row. An accepted inquiry does not end the failures of the
  /// requests with events: a server may describe a table that it refuses to change.
  private var failedInquiries = 0
  /// The number of failed attempts in a row since the shutdown began.
  private(set) var failuresAtEnd = 0
  /// The number of accepted requests.
  private var acceptances = 0
  /// The uptime of the first request since the last acceptance that reached a server, if the last
  /// request reached one.
  private var failingSince: Duration?
  /// The number of single events that were refused in a row, and of the waits for that in a batch.
  private var refusals = 0
  private var lateRefusals = 0
  /// The number of requests in a row whose outcome is unknown.
  private var doubts = 0
  /// The number of requests in a row that ended while they were still being sent, because their
  /// time was over or the connection ended.
  private var brokenSends = 0
  /// The limit of a request's size, as learned from the server and the line.
  private(set) var ceiling = RequestCeiling()
  /// The events of a batch that were refused one by one before any event of the batch was accepted,
  /// each in a request of its own.
  ///
  /// A refusal proves an event's fault only if another event was accepted: if a server refuses all
  /// events, its table or set-up does not fit them. After the first acceptance, a suspect is sent
  /// again, and blamed if it is refused once more; without an acceptance, it stays in the queue.
  private var suspects: [UploadBatch] = []
  /// The last refusal of a suspect.
  private var refusal: (reason: String, detail: String)?
  /// Whether an event of the batch was accepted.
  private var hasAcceptance = false
  private var unclear: [Journal.Position: UnclearRefusal] = [:]
  /// The number of unclear answers to single events in a row, without an acceptance in between, and
  /// the number of acceptances at the last of them.
  private var probes = 0
  private var latestProbe = -1
  /// The events that were passed over, with the number of acceptances at that time. They rest until
  /// another event is accepted, or until all others have had their turn.
  private var passedOver: [Journal.Position: Int] = [:]
  /// Whether the batch has events that were passed over, and others were accepted since.
  private var hasReturned = false
  /// The events that have another turn, though no event was accepted since they were passed over.
  private var retried: Set<Journal.Position> = []
  /// Whether the batch has such events.
  private var isRetried = false

  init(_ options: UploadOptions) { self.options = options }

  /// After more than this number of refused single events in a row, an earlier acceptance no longer
  /// proves that the server works, and the loop waits after each refusal.
  private static var mostRefusals: Int { 100 }
  /// A request that gets this number of unclear answers is halved.
  private static var mostTries: Int { 3 }
  /// A batch that waits so often because of too many refusals in a row is passed over.
  private static var mostLateRefusals: Int { 10 }
  /// If a server accepts no event for this long, its answers may be about a single event: a
  /// firewall in front of the server may dislike a text in that event.
  private static var longestFailure: Duration { .seconds(600) }
  /// The maximum number of failed attempts in a row during a shutdown; after that, waiting events
  /// are left to the next start. With a deadline of half a minute, the growing waits between ten
  /// attempts fill most of that time. Meanwhile, a server can restart.
  private static var mostAtEnd: Int { 10 }

  /// Whether no event was accepted since the last unclear answer to a single event.
  var isProbing: Bool { probes > 0 }

  /// Whether the server has accepted events since the last failure of a request. An unclear answer
  /// that has set an event aside does not count as a failure.
  var isWorking: Bool { !isProbing && failures == 0 && acceptances > 0 }

  /// Whether so many attempts have failed since the shutdown began that no other is made.
  var isOver: Bool { failuresAtEnd >= Self.mostAtEnd }

  /// Decides on a request.
  ///
  /// - Parameters:
  ///   - part: The request. Its number of unclear answers is counted.
  ///   - alone: The position of its event; nil if it has several.
  ///   - error: The reason if there was no answer.
  ///   - now: The uptime.
  mutating func decide(
    _ verdict: DeliveryVerdict, on part: inout UploadBatch, alone: Journal.Position?,
    isEnding: Bool, _ error: TransportError? = nil, now: Duration
  ) -> (step: Step, wait: Wait?) {
    let isSlow = error?.isLateWhileSending == true
    let isBroken = isSlow || error?.isCutWhileSending == true
    brokenSends = isBroken ? brokenSends + 1 : 0
    let hasReached = error == nil || error?.outcome == .unknown
    if hasReached, !isBroken { failingSince = failingSince ?? now }
    let isFailing = hasReached && failingSince.map { now - $0 >= Self.longestFailure } ?? false
    part.isDoubtful = part.isDoubtful || isFailing || hasReturned
    let answer = verdict
    var verdict = verdict
    if hasReached, part.isDoubtful || alone.map(isAlone) == true, let doubt = verdict.ifDoubtful {
      // The server has accepted others meanwhile, so the waits do not grow.
      if hasReturned { failures = 0 }
      // A batch that was searched in vain is tried as a whole, so that new events soon have their
      // turn.
      guard alone != nil else {
        return (isRetried ? .passOver : .halve, wait(after: verdict, error, isEnding))
      }
      verdict = doubt
    }
    switch verdict {
    case .accepted: return (takeOut(part, alone, lost: 0), nil)
    case .partlyAccepted(let count, _, _): return (takeOut(part, alone, lost: count), nil)
    case .refused where alone == nil: return (.halve, nil)
    case .tooLarge where alone == nil:
      ceiling.noteTooLarge(part.bytes)
      return (.halve, nil)
    case .refused(let reason, let detail), .tooLarge(let reason, let detail):
      refusals += 1
      let isLate = refusals > Self.mostRefusals
      if hasAcceptance, !isLate {
        failures = 0
        return (.refuse, nil)
      }
      // The events behind the batch prove soonest that the server still works.
      if hasAcceptance { return (.passOver, nil) }
      suspects.append(part)
      refusal = (reason, detail)
      guard isLate else { return (.suspect, nil) }
      // While a server refuses everything because of a wrong set-up, the wait limits the number of
      // requests.
      lateRefusals += 1
      return (lateRefusals < Self.mostLateRefusals ? .suspect : .passOver, waitInDoubt(isEnding))
    case .retry where isSlow && brokenSends == 1:
      // The time that is over was the wait. A slow line needs smaller requests, not pauses.
      return (.again, nil)
    case .retry(let reason, _, _, _) where brokenSends > 1:
      brokenSends = 0
      guard let alone else {
        ceiling.noteTooLarge(part.bytes)
        return (.halve, nil)
      }
      // Smaller events must not wait for this one. The broken requests prove nothing.
      unclear[alone] = UnclearRefusal(reason, at: now)
      return (.setAside, nil)
    case .retry, .turnedAway: return (.again, wait(after: verdict, error, isEnding))
    case .abandoned: return (.abandon, wait(after: verdict, error, isEnding))
    case .unclear(let reason, let after, _):
      guard let alone else {
        part.tries += 1
        let step = part.tries < Self.mostTries ? Step.later : .halve
        if step == .halve { part.tries = 0 }
        return (step, wait(after: verdict, error, isEnding))
      }
      let isKnown = unclear[alone] != nil
      // Others wait for a single event only if the server asks for it, or may be failing.
      let waits = after != nil || !isKnown && !isWorking
      let isProven = isProven(reason, of: alone, at: now, isDoubt: answer != verdict)
      // If a few events of a batch that has returned prove nothing, the server fails again.
      let passesOver = !isKnown && (isFailing || hasReturned && probes > Self.mostTries)
      return (
        isProven ? .refuse : passesOver ? .passOver : .setAside,
        waits && !(isProven && after == nil) ? wait(after: answer, error, isEnding) : nil
      )
    }
  }

  /// Counts an unclear answer to an event; returns whether the answers prove that it is at fault.
  /// An answer that counts as unclear only because it lasts (`isDoubt`) proves nothing.
  private mutating func isProven(
    _ reason: String, of event: Journal.Position, at now: Duration, isDoubt: Bool
  ) -> Bool {
    var refusal = unclear[event] ?? UnclearRefusal(reason, at: now)
    let isProven = !isDoubt && refusal.proves(reason, at: now, acceptances)
    if isDoubt { refusal.postpone(at: now, acceptances) }
    unclear[event] = isProven ? nil : refusal
    // While nothing is accepted, the events that are set aside are tried one by one, ever more
    // rarely. New events do not wait for them.
    probes = acceptances == latestProbe ? probes + 1 : 0
    latestProbe = acceptances
    if isProbing {
      let next = now.plus(options.backoffLimit(afterFailures: probes))
      for (position, refusal) in unclear { unclear[position]?.next = max(refusal.next, next) }
    }
    return isProven
  }

  private mutating func takeOut(
    _ part: UploadBatch, _ alone: Journal.Position?, lost: Int
  ) -> Step {
    (failures, failuresAtEnd, refusals) = (0, 0, 0)
    ceiling.noteAccepted(part.bytes)
    if let alone { unclear[alone] = nil }
    let lost = min(max(0, lost), part.entries.count)
    if lost < part.entries.count {
      acceptances += 1
      (retried, isRetried) = ([], false)
    }
    failingSince = nil
    return .takeOut(lost: lost)
  }

  /// Counts a failure, and returns the wait after it.
  ///
  /// - Parameters:
  ///   - error: The reason if there was no answer.
  ///   - isInquiry: Whether the request was the destination's inquiry.
  mutating func wait(
    after verdict: DeliveryVerdict, _ error: TransportError?, _ isEnding: Bool,
    isInquiry: Bool = false
  ) -> Wait {
    if isInquiry { failedInquiries += 1 } else { failures += 1 }
    if isEnding { failuresAtEnd += 1 }
    let count = isEnding ? failuresAtEnd : isInquiry ? failedInquiries : failures
    var wait = Wait(
      limit: options.backoffLimit(afterFailures: count), endsAtFlush: error != nil)
    switch verdict {
    case .retry(_, let after, _, _), .unclear(_, let after, _): wait.demanded = after
    case .turnedAway, .refused, .tooLarge: wait.isTurnedAway = true
    default: break
    }
    return wait
  }

  private mutating func waitInDoubt(_ isEnding: Bool) -> Wait {
    var wait = wait(after: .refused(""), nil, isEnding)
    wait.refusal = .ofEveryEvent
    return wait
  }

  /// Notes an accepted inquiry.
  mutating func noteInquired() { failedInquiries = 0 }

  /// The verdict, unless the outcome of too many requests in a row is unknown: then the events are
  /// not sent again.
  ///
  /// - Parameter doubt: Why the outcome is unknown; nil if it is known.
  mutating func verdict(
    _ verdict: DeliveryVerdict?, doubt: String?
  ) -> DeliveryVerdict? {
    doubts = doubt == nil ? 0 : doubts + 1
    guard let doubt, let most = options.repeatsInDoubt, doubts > most else { return verdict }
    doubts = 0
    if case .accepted = verdict { return verdict }
    return .inDoubt(detail: doubt)
  }
}

/// Suspects, and events that were set aside or passed over.
extension RetryPolicy {
  /// Begins a batch of the queue, whose suspects are unknown.
  mutating func beginBatch(_ events: [Journal.Position] = []) {
    (suspects, refusal, lateRefusals) = ([], nil, 0)
    hasReturned = events.contains { passedOver[$0].map { $0 < acceptances } ?? false }
    isRetried = !retried.isDisjoint(with: events)
    // The acceptances since the batch was passed over prove that the server works.
    hasAcceptance = hasReturned
  }

  /// Lets other events have their turn before these.
  mutating func passOver(_ events: [Journal.Position]) {
    // If one batch that has returned proves nothing, the others wait for the next acceptance, too.
    if hasReturned { for event in passedOver.keys { passedOver[event] = acceptances } }
    for event in events where !isRetried || retried.contains(event) {
      passedOver[event] = acceptances
    }
    retried.subtract(events)
  }

  /// Lets the first events that were passed over have another turn. Returns whether there are any.
  mutating func retryFirst() -> Bool {
    retried = Set(passedOver.keys.sorted().prefix(options.events))
    for event in retried { passedOver[event] = nil }
    return !retried.isEmpty
  }

  /// The suspects, which must be sent again because an event was accepted. They are in reverse
  /// order, because the loop sends the last batch first.
  mutating func takeSuspects() -> [UploadBatch] {
    defer { (suspects, refusal, hasAcceptance) = ([], nil, true) }
    return suspects.reversed()
  }

  /// The last refusal of a batch whose refusals prove nothing, and the wait after it; nil if there
  /// are none.
  mutating func waitForProof(
    isEnding: Bool
  ) -> (words: (reason: String, detail: String), wait: Wait)? {
    guard let refusal else { return nil }
    var wait = waitInDoubt(isEnding)
    if suspects.count == 1, !hasAcceptance { wait.refusal = .ofOnlyEvent }
    return (refusal, wait)
  }

  /// The positions of the events that are set aside and not due yet, or passed over.
  func resting(at now: Duration) -> Set<Journal.Position> {
    Set(unclear.keys).union(passedOver.keys).filter { isResting($0, at: now) }
  }

  /// Whether the event is set aside and not due yet, or passed over.
  func isResting(_ position: Journal.Position, at now: Duration) -> Bool {
    unclear[position].map { $0.next > now } ?? false || passedOver[position] == acceptances
  }

  /// Whether the event is sent in a request of its own.
  func isAlone(_ position: Journal.Position) -> Bool { unclear[position] != nil }

  /// The number of events that are set aside, by the reason of the last answer.
  var setAside: [String: Int] {
    unclear.values.reduce(into: [:]) { $0[$1.reason, default: 0] += 1 }
  }

  /// The uptime at which the next event that was set aside is due.
  var nextDue: Duration? { unclear.values.map(\.next).min() }

  /// Forgets the events that have left the queue, and the failure if no event is left.
  ///
  /// - Parameter waiting: Returns those of the positions whose events wait in the queue.
  mutating func keep(isEmpty: Bool, _ waiting: ([Journal.Position]) -> Set<Journal.Position>) {
    if isEmpty { failingSince = nil }
    let known = Set(unclear.keys).union(passedOver.keys)
    guard !known.isEmpty else { return }
    let left = waiting(Array(known))
    unclear = unclear.filter { left.contains($0.key) }
    passedOver = passedOver.filter { left.contains($0.key) }
  }
}

/// The unclear answers to one event that was sent alone.
///
/// Such an answer may come from one broken server of several, or from a proxy. It counts against
/// the event only if the same answer came ten times over ten minutes, while other events were
/// accepted.
private struct UnclearRefusal {
  let reason: String
  private let first: Duration
  private var count = 0
  private var acceptances = -1
  /// The uptime at which the event is sent again.
  var next: Duration

  private static var most: Int { 10 }
  private static var span: Duration { .seconds(600) }
  /// The time between two requests, by which the ten answers take the whole span.
  private static var pause: Duration { .seconds(67) }
  private static var longestPause: Duration { .seconds(3_600) }
  /// The time until the next request, if the answers prove nothing.
  private var longer = UnclearRefusal.pause

  init(_ reason: String, at now: Duration) {
    self.reason = reason
    first = now
    next = now.plus(Self.pause)
  }

  /// Lets the event wait; twice as long as before, up to an hour, if others were accepted since.
  mutating func postpone(at now: Duration, _ others: Int) {
    if acceptances >= 0, others > acceptances { longer = min(longer * 2, Self.longestPause) }
    acceptances = others
    next = now.plus(longer)
  }

  /// Counts the answer; returns whether the answers prove that the event is at fault.
  ///
  /// - Parameter others: The number of accepted requests so far.
  mutating func proves(_ reason: String, at now: Duration, _ others: Int) -> Bool {
    if reason != self.reason { self = UnclearRefusal(reason, at: now) }
    if others > acceptances { count += 1 }
    acceptances = others
    next = now.plus(Self.pause)
    return count >= Self.most && now - first >= Self.span
  }
}
