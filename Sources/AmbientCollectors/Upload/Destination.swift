public import Foundation

/// What a collector says of itself: how events become requests, and what an answer means.
///
/// The uploader asks, from one task, and does the rest: batches, waits, halves what is refused,
/// and counts. A further collector is such a type and a subclass of ``QueuedAnalytics``.
public protocol Destination: Sendable {
  /// What reports call it, as `HTTPAnalytics https://events.example`; without secrets.
  var name: String { get }

  /// What tells it from other destinations: the address with the table, where it has one. The
  /// queue's folder remembers by a digest of it whether anything was ever accepted there.
  var target: String { get }

  /// Texts that no report may show, whatever a server answers; those of fewer than four characters
  /// are passed over, since they stand in many words. Asked for each answer, since they may change.
  var secrets: [String] { get }

  /// Which settings to look at where a server turns us away, as `["url", "headers"]`: those that
  /// say where to, and by which key. Reports name them.
  var settingsToCheck: [String] { get }

  /// The most that one request may have.
  var limits: RequestLimits { get }

  /// How many fields and events were sent otherwise than they were tracked, by the name of the
  /// rule: what ``Amendments`` have counted.
  var amendments: [String: Int] { get }

  /// What the server is asked before events are sent, as which columns a table has; nil for
  /// nothing. It is asked again when the server has turned events away.
  var inquiry: OutgoingRequest? { get }

  /// What the answer to ``inquiry`` means: after `accepted` events are sent, else all are kept.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, whatever its status.
  ///   - now: The time, for an answer that says until when to wait.
  func verdict(onInquiry answer: Answer, now: Date) -> Verdict

  /// What becomes of an event: what is sent of it, and with which others.
  ///
  /// - Parameters:
  ///   - record: The event, as the line of JSON that `TrackedEvent.json` is.
  ///   - now: The time, for a destination that takes no old events.
  /// - Throws: Why it is not sent: it is lost then, and counted by that reason.
  func entry(for record: [UInt8], now: Date) throws(Refusal) -> Entry

  /// What becomes of an event: as `entry(for:now:)`, for a destination that has finer times.
  ///
  /// - Parameters:
  ///   - record: The event, as the line of JSON that `TrackedEvent.json` is.
  ///   - date: When it was tracked, in whole microseconds; the line has milliseconds.
  ///   - now: The time, for a destination that takes no old events.
  func entry(for record: [UInt8], at date: Date, now: Date) throws(Refusal) -> Entry

  /// How many bytes a request of that group has beside its entries.
  ///
  /// - Parameter group: The group, as an entry names it.
  /// - Returns: The bytes, by which fewer entries fit into ``limits``.
  func overhead(of group: String) -> Int

  /// The request that carries the entries, all of that group.
  ///
  /// - Parameters:
  ///   - entries: The bytes of one event each, oldest first, within ``limits``.
  ///   - group: The group, as each of these entries names it.
  /// - Returns: The request with address, header fields and body.
  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest

  /// What an answer means.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, whatever its status.
  ///   - now: The time, for an answer that says until when to wait.
  /// - Returns: Whether the events have arrived, are tried again, or are refused.
  func verdict(on answer: Answer, now: Date) -> Verdict

  /// What it means that there is no answer.
  ///
  /// - Parameter error: Why there is none, and whether the server may have received the request.
  /// - Returns: Whether the events are tried again, or counted as lost or as sent.
  func verdict(on error: TransportError) -> Verdict

  /// What it means that there is no answer to a request of that group.
  ///
  /// - Parameters:
  ///   - error: Why there is none, and whether the server may have received the request.
  ///   - group: The group whose request it was.
  /// - Returns: Whether the events are tried again, or counted as lost or as sent.
  func verdict(on error: TransportError, group: String) -> Verdict
}

extension Destination {
  /// The name.
  public var target: String { name }

  /// None.
  public var secrets: [String] { [] }

  /// None.
  public var settingsToCheck: [String] { [] }

  /// None.
  public var amendments: [String: Int] { [:] }

  /// What becomes of it by the line alone.
  ///
  /// - Parameters:
  ///   - record: The event, as the line of JSON that `TrackedEvent.json` is.
  ///   - date: When it was tracked; it is passed over.
  ///   - now: The time, for a destination that takes no old events.
  /// - Returns: What `entry(for:now:)` returns.
  /// - Throws: What that throws.
  public func entry(for record: [UInt8], at date: Date, now: Date) throws(Refusal) -> Entry {
    try entry(for: record, now: now)
  }

  /// None.
  ///
  /// - Parameter group: The group, whichever it is.
  public func overhead(of group: String) -> Int { 0 }

  /// Nothing.
  public var inquiry: OutgoingRequest? { nil }

  /// The same as after a request with events.
  ///
  /// - Parameters:
  ///   - answer: The server's answer to ``inquiry``.
  ///   - now: The time, for an answer that says until when to wait.
  public func verdict(onInquiry answer: Answer, now: Date) -> Verdict {
    verdict(on: answer, now: now)
  }

  /// As a server of the usual kind means its status: ``Verdict/usual(for:now:)``.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, of which the status counts, and what it says of waiting.
  ///   - now: The time, for an answer that says until when to wait.
  public func verdict(on answer: Answer, now: Date) -> Verdict { .usual(for: answer, now: now) }

  /// Try again: what was sent may come twice, with the same identities.
  ///
  /// - Parameter error: Why there is no answer, which reports then say.
  public func verdict(on error: TransportError) -> Verdict {
    .retry(error.reason, detail: error.detail)
  }

  /// The same for every group.
  ///
  /// - Parameters:
  ///   - error: Why there is no answer.
  ///   - group: The group, whichever it is.
  public func verdict(on error: TransportError, group: String) -> Verdict { verdict(on: error) }
}

/// What is sent of an event.
public struct Entry: Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// Events of one request are of one group: of one client, for example, where a request says whose
  /// events it has.
  public let group: String

  /// An entry.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the event in a request's body.
  ///   - group: The group of events that may share a request; empty where all may.
  public init(_ bytes: [UInt8], group: String = "") {
    self.bytes = bytes
    self.group = group
  }
}

/// Why an event is not sent to a destination.
public struct Refusal: Error, Hashable, CustomStringConvertible {
  /// Which field is at fault, as `properties.value`; nil if it is the event as a whole.
  public let field: String?
  /// What is wrong with it; of few kinds, since events are counted by it.
  public let reason: String

  /// A refusal.
  ///
  /// - Parameters:
  ///   - field: The field at fault, as `properties.value`; nil for the event as a whole.
  ///   - reason: What is wrong with it, of few kinds and without its value.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// The field and what is wrong with it.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}

/// The most that one request may have.
public struct RequestLimits: Hashable, Sendable {
  /// How many events.
  public var events: Int
  /// How many bytes of body.
  public var bytes: Int
  /// How many bytes stand between two entries, or after each.
  public var separator: Int

  /// Limits.
  ///
  /// - Parameters:
  ///   - events: The most events, 1 at least.
  ///   - bytes: The most bytes of body, 1 at least.
  ///   - separator: The bytes between two entries, or after each.
  public init(events: Int, bytes: Int, separator: Int = 1) {
    self.events = max(1, events)
    self.bytes = max(1, bytes)
    self.separator = separator
  }
}
