// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Counts the outcomes of events. Reports each kind of loss once. Reports each kind of failed
/// attempt once, and again only if it comes back more than ten minutes after the server worked
/// again: a server that fails and works by turns would otherwise cause a flood of reports.
final class UploadLedger: Sendable {
  /// The outcomes of the events that left the queue, and the reason why others wait.
  struct Counts {
    fileprivate(set) var delivered = 0
    /// The number of lost events by reason.
    fileprivate(set) var lost: [String: Int] = [:]
    fileprivate(set) var trouble: DeliveryTrouble?
    /// The number of events that are set aside, by reason.
    fileprivate(set) var setAside: [String: Int] = [:]
  }

  private struct State {
    var counts = Counts()
    /// Whether the destination has accepted an event since the ledger was created.
    var hasDelivered = false
    /// Whether the queue's folder may contain a note of a delivery failure. Initially true, because
    /// the note may be from an earlier start of the program.
    var isKept = true
    /// The reasons of failed attempts that were reported.
    var told: [String: ToldReason] = [:]
    /// The keys of all reported losses.
    var toldLosses: Set<String> = []
    /// The reasons for which events are set aside. `toldAside` contains those that were reported.
    var reasonsAside: Set<String> = []
    var toldAside: Set<String> = []
    /// Whether a failed attempt was reported since the last report of a recovery.
    var isFailureTold = false

    /// Counts a failed attempt. Returns nil if it must not be reported; otherwise, returns how
    /// often the failure came back since its last report.
    mutating func returns(of reason: String, at uptime: Duration) -> Int? {
      guard var known = told[reason] else {
        if told.count >= UploadLedger.mostReasons { told = told.filter { $1.isQuiet(at: uptime) } }
        guard told.count < UploadLedger.mostReasons else { return nil }
        told[reason] = ToldReason()
        return 0
      }
      known.noteReturn()
      let isQuiet = known.isQuiet(at: uptime)
      told[reason] = isQuiet ? known : ToldReason()
      return isQuiet ? nil : known.returns
    }
  }

  /// A reason of failed attempts that was reported.
  private struct ToldReason {
    /// The uptime until which the failure is not reported again; nil if the server has not worked
    /// since the report.
    private var quietEnd: Duration?
    /// How often the failure came back since its report.
    private(set) var returns = 0
    /// Whether the failure came back since the server worked last.
    private var isBack = false

    /// The time after a recovery in which the same failure is not reported again.
    private static var quiet: Duration { .seconds(600) }

    /// Whether the server has not worked since the report.
    var isUnderWay: Bool { quietEnd == nil }

    func isQuiet(at uptime: Duration) -> Bool { quietEnd.map { $0 > uptime } ?? true }

    /// The time without reports begins with the first recovery after the report, so that later
    /// recoveries do not extend it.
    mutating func noteRecovery(at uptime: Duration) {
      quietEnd = quietEnd ?? uptime.plus(Self.quiet)
      isBack = false
    }

    mutating func noteReturn() {
      guard !isUnderWay, !isBack else { return }
      (returns, isBack) = (returns + 1, true)
    }
  }

  private let state = Guarded(State())
  private let destination: any EventDestination
  /// The word for an event in reports: “event”, or “record” for a log.
  private let noun: String
  /// The scope in which the collector was created; nil after the collector was abandoned. Setting
  /// it to nil breaks a reference cycle, because the scope may hold the collector.
  private let scope = Guarded<AmbientScope?>(AmbientScope.capture())
  /// The queue, whose folder keeps notes; nil once the folder is released to other processes.
  private let queue: Guarded<EventQueue?>

  /// The maximum number of reasons; further reasons are counted together as “other reasons”.
  private static var mostReasons: Int { 32 }

  init(_ destination: any EventDestination, noun: String, _ queue: EventQueue) {
    self.destination = destination
    self.noun = noun
    self.queue = Guarded(queue)
  }

  /// Stops writing notes and reporting. After this method returns, no note is written to the
  /// folder. An existing note of a delivery failure stays there.
  func close() {
    queue.withLock { $0 = nil }
    // The scope is released outside the lock, because this may be the last reference to the
    // program's services, whose deinitializers must not run under our lock.
    let released = scope.withLock { scope in
      defer { scope = nil }
      return scope
    }
    withExtendedLifetime(released) {}
  }

  /// Runs `body` in the scope in which the collector was created. After the collector was
  /// abandoned, returns nil without running `body`.
  func inScope<R>(_ body: () -> R) -> R? { scope.withLock { $0 }?.run(body) }

  /// Writes a note of the current delivery failure to the queue's folder. If there is no failure,
  /// removes the note.
  private func keepTrouble() {
    // The note is written under the lock, so that nothing is written after `close`, and the newest
    // trouble is written last. Holding the lock meanwhile is safe, because writing a note calls no
    // user code.
    queue.withLock { queue in queue?.note(state.withLock { $0.counts.trouble }) }
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Whether the destination has ever accepted an event of this queue, even before the last start
  /// of the program.
  var hasEverDelivered: Bool {
    let target = destination.target
    return state.withLock { $0.hasDelivered }
      || queue.withLock { $0?.hasAccepted(target) ?? false }
  }

  /// Counts events that left the queue. Calls no other code, so that the caller may hold the
  /// queue's lock.
  ///
  /// - Parameter key: The key of the lost events' reason, from ``key(for:)``.
  func count(delivered: Int, lost: Int, _ key: String) {
    state.withLock { state in
      state.counts.delivered += delivered
      if lost > 0 { state.counts.lost[key, default: 0] += lost }
    }
  }

  /// The key by which a reason is counted: the reason without secrets, or “other reasons” after the
  /// first 32 reasons.
  func key(for reason: String) -> String {
    let reason = Secrets(destination.secrets).hidden(in: reason)
    return state.withLock { $0.counts.lost.key(for: reason, upTo: Self.mostReasons) }
  }

  /// Records that the destination accepted events.
  func noteAcceptance() {
    if state.withLock({ $0.hasDelivered.turnOn() }) {
      let target = destination.target
      queue.withLock { $0?.noteAccepted(target) }
    }
  }

  /// Records that the server works again; reports it if a failure was reported before.
  func noteRecovery(at uptime: Duration) {
    guard let ended = forgetTrouble(answeredAt: uptime),
      state.withLock({ state in
        defer { state.isFailureTold = false }
        return state.isFailureTold
      })
    else { return }
    let aside = counts.setAside.values.reduce(0, +)
    report(.recovered, Self.recovery(after: ended.attempts, noun, aside: aside))
  }

  /// The report that the server works again.
  static func recovery(after attempts: Int, _ noun: String, aside: Int) -> String {
    let those = "\(aside.with(noun)) that failed \(aside == 1 ? "is" : "are")"
    let rest = aside == 0 ? "" : "; \(those) retried separately"
    return "delivers again after \(attempts.with("failed attempt"))\(rest)"
  }

  /// Records the number of events that are set aside, by reason.
  func note(setAside: [String: Int]) {
    let secrets = setAside.isEmpty ? nil : Secrets(destination.secrets)
    let shown = Dictionary(
      setAside.map { (secrets?.hidden(in: $0) ?? $0, $1) }, uniquingKeysWith: +)
    state.withLock { state in
      state.counts.setAside = shown
      state.reasonsAside = Set(setAside.keys)
      state.toldAside.formIntersection(state.reasonsAside)
    }
  }

  /// Reports the first loss for each reason's key; later losses with the same key are only counted.
  ///
  /// - Parameter isKept: Whether the file of refused events has the events.
  func tellLoss(
    of count: Int, _ key: String, _ reason: String, detail: String, record: [UInt8]? = nil,
    isKept: Bool = false
  ) {
    guard count > 0, state.withLock({ $0.toldLosses.insert(key).inserted }) else { return }
    let secrets = Secrets(destination.secrets)
    let why = Self.full(secrets.hidden(in: reason), secrets.hidden(in: detail))
    report(.undelivered, Self.loss(of: count, noun, record: record, isKept: isKept, why))
  }

  /// The report of a loss.
  static func loss(
    of count: Int, _ noun: String, record: [UInt8]? = nil, isKept: Bool = false, _ reason: String
  ) -> String {
    let which = record.map { "the \(noun) \(Self.id(of: $0))" } ?? count.with(noun)
    let isOne = record != nil || count == 1
    let fate =
      isKept
      ? "\(isOne ? "was" : "were") not delivered, but kept for EventQueue.retryRefused(in:)"
      : "\(isOne ? "counts" : "count") as lost"
    return "\(which) \(fate): \(reason); further such losses are only counted in status.lost"
  }

  /// Records a failed attempt, after which `waiting` events wait. If none waits, clears the
  /// recorded failure instead.
  ///
  /// - Parameters:
  ///   - isTurnedAway: Whether the settings seem to be wrong.
  ///   - isAside: Whether the attempt was of an event that is set aside. Its reason is reported
  ///     once until no event is set aside for it.
  ///   - now: The time of the attempt.
  ///   - uptime: The uptime of the attempt, since no change of the clock must silence reports.
  func noteTrouble(
    _ reason: String, detail: String, isTurnedAway: Bool, isAside: Bool = false, waiting: Int,
    now: Date, uptime: Duration
  ) {
    guard waiting > 0 else {
      forgetTrouble()
      return
    }
    let secrets = Secrets(destination.secrets)
    var text = Self.full(secrets.hidden(in: reason), secrets.hidden(in: detail))
    if isTurnedAway, let advice = Self.advice(destination.settingsToCheck) { text += advice }
    let (returns, isChanged) = state.withLock { state -> (Int?, Bool) in
      let before = state.counts.trouble
      let trouble = DeliveryTrouble(
        reason: text, since: before?.since ?? now, attempts: (before?.attempts ?? 0) + 1)
      state.counts.trouble = trouble
      state.isKept = true
      let returns: Int?
      if isAside {
        let isKnown = state.told[reason]?.isQuiet(at: uptime) == true
        let isNew = !isKnown && state.toldAside.insert(reason, upTo: Self.mostReasons)
        returns = isNew ? 0 : nil
      } else {
        returns = state.returns(of: reason, at: uptime)
      }
      if returns != nil { state.isFailureTold = true }
      return (returns, before?.reason != text)
    }
    if isChanged { keepTrouble() }
    if let returns {
      report(
        .undelivered,
        Self.failure(
          text, returns: returns, waiting: waiting, noun, isTurnedAway: isTurnedAway))
    }
  }

  /// The report of a failed attempt.
  static func failure(
    _ text: String, returns: Int, waiting: Int, _ noun: String, isTurnedAway: Bool
  ) -> String {
    let before =
      returns > 1 ? "; this failure has come back \(returns) times since its last report" : ""
    let verbs = waiting == 1 ? "waits in the queue, and is" : "wait in the queue, and are"
    let those = "\(waiting.with(noun)) \(verbs)"
    let advice = isTurnedAway ? "" : "; if this persists, check the network and the server"
    return "\(text)\(before); \(those) retried\(advice)"
  }

  /// Clears the recorded delivery failure. Called when the server works again, or when no event
  /// waits.
  ///
  /// - Parameter answeredAt: The uptime of an answer that shows that the server works, even if it
  ///   refused all events; nil if there was none.
  /// - Returns: The cleared failure; nil if none was recorded.
  @discardableResult
  func forgetTrouble(answeredAt uptime: Duration? = nil) -> DeliveryTrouble? {
    let (ended, isKept) = state.withLock { state -> (DeliveryTrouble?, Bool) in
      defer { (state.counts.trouble, state.isKept) = (nil, false) }
      if let uptime {
        let underWay = state.told.filter { $1.isUnderWay }.keys
        state.toldAside.formUnion(state.reasonsAside.intersection(underWay))
        for reason in state.told.keys { state.told[reason]?.noteRecovery(at: uptime) }
      }
      return (state.counts.trouble, state.isKept)
    }
    if isKept { keepTrouble() }
    return ended
  }

  private func report(_ kind: Diagnostic.Kind, _ message: String) {
    inScope { Diagnostics.report(kind, source: destination.name, message) }
  }

  private static func full(_ reason: String, _ detail: String) -> String {
    detail.isEmpty ? reason : "\(reason) (\(detail))"
  }

  private static func advice(_ settings: [String]) -> String? {
    guard let last = settings.last else { return nil }
    let others = settings.dropLast().joined(separator: ", ")
    return "; check \(others.isEmpty ? last : "\(others) and \(last)")"
  }

  /// The event's identity, which is the first member in the event's line of JSON. It is found by
  /// the quotation marks around it, because the line may be cut off right after the identity. A
  /// `JSONMemberReader` needs the comma or brace after a member, and would then find no member.
  private static func id(of record: [UInt8]) -> String {
    let words = record.prefix(80).split(separator: UInt8(ascii: "\""), maxSplits: 4)
    guard words.count > 3 else { return "with an unreadable id" }
    return String(decoding: words[3], as: UTF8.self).escaped
  }
}
