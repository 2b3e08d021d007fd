internal import Ambient
public import Foundation

/// Counts what became of events, and reports troubles: each kind once until it works again.
final class UploadLedger: Sendable {
  /// What became of the events that left the queue, and why others wait.
  struct Counts {
    fileprivate(set) var delivered = 0
    /// By reason.
    fileprivate(set) var lost: [String: Int] = [:]
    fileprivate(set) var trouble: DeliveryTrouble?
  }

  private struct State {
    var counts = Counts()
    /// Whether the destination has answered an event with an acceptance.
    var hasDelivered = false
    /// Whether the trouble may be kept elsewhere: an earlier start may have left one.
    var isKept = true
    /// Reasons for which something was reported since it last worked.
    var told: Set<String> = []
    var toldLosses: Set<String> = []
  }

  private let state = Guarded(State())
  private let destination: any Destination
  /// What is brought: an event, or a record of a log.
  private let noun: String
  private let scope: AmbientScope
  /// The notes in the folder of the queue; nil when the folder may be another's.
  private let notes: Guarded<(any DeliveryNotes)?>

  /// More kinds of reasons than these are one.
  private static var mostReasons: Int { 32 }
  private static var otherReasons: String { "other reasons" }

  init(
    _ destination: any Destination, noun: String, _ scope: AmbientScope,
    _ notes: any DeliveryNotes
  ) {
    self.destination = destination
    self.noun = noun
    self.scope = scope
    self.notes = Guarded(notes)
  }

  /// Notes nothing in the folder any more once this has returned.
  func close() { notes.withLock { $0 = nil } }

  private func keep(_ trouble: DeliveryTrouble?) {
    // Under the lock, so that nothing is written once it is closed: it is a file of ours.
    notes.withLock { $0?.note(trouble) }
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Whether the destination has ever accepted anything of this queue, in earlier starts, too.
  var hasEverDelivered: Bool {
    let target = destination.target
    return state.withLock { $0.hasDelivered }
      || notes.withLock { $0?.hasAccepted(target) ?? false }
  }

  /// Counts events, of which the lost ones have a reason as ``key(for:)`` makes it. Calls nothing
  /// else, so that the caller may hold the queue's lock.
  func count(delivered: Int, lost: Int, _ key: String) {
    state.withLock { state in
      state.counts.delivered += delivered
      if lost > 0 { state.counts.lost[key, default: 0] += lost }
    }
  }

  /// The reason as it is counted: without secrets, and one for all beyond 32.
  func key(for reason: String) -> String {
    let reason = Secrets(destination.secrets).hidden(in: reason)
    return state.withLock { state in
      state.counts.lost[reason] != nil || state.counts.lost.count < Self.mostReasons
        ? reason : Self.otherReasons
    }
  }

  /// Notes that the destination has accepted events, which ends a trouble.
  func noteAcceptance() {
    let isFirst = state.withLock { state in
      defer { state.hasDelivered = true }
      return !state.hasDelivered
    }
    if isFirst {
      let target = destination.target
      notes.withLock { $0?.noteAccepted(target) }
    }
    if let ended = forgetTrouble(isAnswered: true) {
      report(.recovered, "delivers again, after \(ended.attempts) attempts that failed")
    }
  }

  /// Reports the first loss of each reason.
  ///
  /// - Parameter key: The reason, as it was counted.
  func tellLoss(
    of count: Int, _ key: String, _ reason: String, detail: String, record: [UInt8]? = nil
  ) {
    guard count > 0, state.withLock({ $0.toldLosses.insert(key).inserted }) else { return }
    let secrets = Secrets(destination.secrets)
    let which =
      record.map { "the \(noun) \(Self.id(of: $0))" }
      ?? (count == 1 ? "one \(noun)" : "\(count) \(noun)s")
    let verb = record != nil || count == 1 ? "is" : "are"
    let why = Self.full(secrets.hidden(in: reason), secrets.hidden(in: detail))
    report(
      .undelivered,
      "\(which) cannot be delivered and \(verb) lost: \(why); further ones are counted")
  }

  /// Notes a failed attempt, after which nothing of what waits is lost yet.
  ///
  /// - Parameter isTurnedAway: Whether the settings are at fault, it seems.
  func noteTrouble(
    _ reason: String, detail: String, isTurnedAway: Bool, waiting: Int, now: Date
  ) {
    guard waiting > 0 else {
      forgetTrouble()
      return
    }
    let secrets = Secrets(destination.secrets)
    var text = Self.full(secrets.hidden(in: reason), secrets.hidden(in: detail))
    if isTurnedAway, let advice = Self.advice(destination.settingsToCheck) { text += advice }
    let (isNew, changed) = state.withLock { state -> (Bool, DeliveryTrouble?) in
      let before = state.counts.trouble
      let trouble = DeliveryTrouble(
        reason: text, since: before?.since ?? now, attempts: (before?.attempts ?? 0) + 1)
      state.counts.trouble = trouble
      state.isKept = true
      let isNew = state.told.count < Self.mostReasons && state.told.insert(reason).inserted
      return (isNew, before?.reason == text ? nil : trouble)
    }
    if let changed { keep(changed) }
    if isNew {
      let those =
        waiting == 1
        ? "1 \(noun) waits in the queue, and is" : "\(waiting) \(noun)s wait in the queue, and are"
      report(.undelivered, "\(text); \(those) tried again")
    }
  }

  /// Notes that nothing waits any more of what failed: it was delivered, refused, removed or grew
  /// too old.
  ///
  /// - Parameter isAnswered: Whether the server works, though it may have refused all.
  /// - Returns: The trouble that has ended.
  @discardableResult
  func forgetTrouble(isAnswered: Bool = false) -> DeliveryTrouble? {
    let (ended, isKept) = state.withLock { state -> (DeliveryTrouble?, Bool) in
      defer { (state.counts.trouble, state.isKept) = (nil, false) }
      if isAnswered { state.told = [] }
      return (state.counts.trouble, state.isKept)
    }
    if isKept { keep(nil) }
    return ended
  }

  private func report(_ kind: Diagnostic.Kind, _ message: String) {
    scope.run { Diagnostics.report(Diagnostic(kind, source: destination.name, message)) }
  }

  private static func full(_ reason: String, _ detail: String) -> String {
    detail.isEmpty ? reason : "\(reason) (\(detail))"
  }

  private static func advice(_ settings: [String]) -> String? {
    guard let last = settings.last else { return nil }
    let others = settings.dropLast().joined(separator: ", ")
    return "; check \(others.isEmpty ? last : "\(others) and \(last)")"
  }

  /// The identity, which stands first in a line.
  private static func id(of record: [UInt8]) -> String {
    let words = record.prefix(80).split(separator: UInt8(ascii: "\""), maxSplits: 4)
    return words.count > 3 ? String(decoding: words[3], as: UTF8.self) : "without an identity"
  }
}

/// What the folder of a queue says of deliveries: to later starts, and to a reader from outside.
protocol DeliveryNotes: Sendable {
  /// Keeps why events wait, or that no failure makes them wait.
  func note(_ trouble: DeliveryTrouble?)
  /// Whether the destination of that ``Destination/target`` has accepted something.
  func hasAccepted(_ target: String) -> Bool
  /// Keeps that it has.
  func noteAccepted(_ target: String)
}

/// Why events wait.
public struct DeliveryTrouble: Hashable, Sendable {
  /// What went wrong last.
  public let reason: String
  /// Since when nothing was delivered.
  public let since: Date
  /// How many attempts have failed since then.
  public let attempts: Int
}
