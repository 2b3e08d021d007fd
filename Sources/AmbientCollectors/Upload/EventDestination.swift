// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The requests of a collector, and the meaning of its server's answers.
///
/// The uploader calls the methods from one task; the properties are read from any thread. The
/// uploader does the rest: it forms batches, waits, halves refused batches, and counts. To write a
/// collector of your own, implement this protocol, and subclass ``QueuedAnalytics``.
public protocol EventDestination: Sendable {
  /// The destination's name in reports, without secrets.
  ///
  /// An example is `HTTPAnalytics https://events.example/`.
  var name: String { get }

  /// The identity of the destination: the address, and the table if there is one.
  ///
  /// Once the destination has accepted an event, the queue's folder stores a digest of this text.
  var target: String { get }

  /// The texts that reports must hide, for example in a server's answer.
  ///
  /// Texts of fewer than four characters are ignored, since they occur in many words. The property
  /// is read again for each text to search, since secrets may change.
  var secrets: [String] { get }

  /// The names of the settings that a user should check if the server turns events away.
  ///
  /// These settings contain the address and the key, such as `["url", "headers"]`. Reports list the
  /// names.
  var settingsToCheck: [String] { get }

  /// The limits of one request; ``UploadOptions`` may set lower ones.
  var limits: RequestLimits { get }

  /// The numbers of problems in events that were prepared for sending, by the names of the rules.
  var amendments: [String: Int] { get }

  /// The entry for an event in a request; called again if the event is prepared again.
  ///
  /// - Parameters:
  ///   - record: The event, as a line of JSON (`TrackedEvent.json`).
  ///   - date: The time of tracking, in whole microseconds; the line has milliseconds.
  ///   - now: The time, for a destination that refuses old events.
  /// - Throws: The reason why the event is not sent. The event is moved to the file of refused
  ///   events, and counts as lost by the error's ``EventRefusal/description``.
  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry

  /// The number of bytes of a request besides its entries.
  ///
  /// - Parameter group: The group of the entries.
  /// - Returns: The bytes, which count towards ``limits``.
  func overhead(of group: String) -> Int

  /// The request with these entries, all of one group; called for each attempt.
  ///
  /// - Parameters:
  ///   - entries: The bytes of each event, in the order of the queue, within ``limits``.
  ///   - group: The group of the entries.
  /// - Returns: The request with address, header fields and body.
  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest

  /// The verdict on an answer.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, with any status.
  ///   - now: The current time, for an answer whose `Retry-After` is a date.
  /// - Returns: Whether the events arrived, are tried again, are refused, or count as lost.
  func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict

  /// The verdict on a request that got no answer.
  ///
  /// The method is also called before each request, with the error of a lost connection. If it
  /// returns ``DeliveryVerdict/abandoned(_:detail:)``, the request gets
  /// ``OutgoingRequest/isRepeatable`` false.
  ///
  /// - Parameters:
  ///   - error: The reason, and whether the server may have received the request.
  ///   - group: The group of the request's events.
  /// - Returns: Whether the events are tried again, or count as lost or as sent.
  func verdict(on error: TransportError, group: String) -> DeliveryVerdict
}

extension EventDestination {
  /// By default, `name`.
  public var target: String { name }

  /// By default, no secrets.
  public var secrets: [String] { [] }

  /// By default, no settings.
  public var settingsToCheck: [String] { [] }

  /// By default, no problems.
  public var amendments: [String: Int] { [:] }

  /// By default, returns 0 bytes.
  ///
  /// - Parameter group: Ignored.
  public func overhead(of group: String) -> Int { 0 }

  /// By default, returns ``DeliveryVerdict/usual(for:now:)``.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, whose status, header fields and body are used.
  ///   - now: The time, for a `Retry-After` with a date.
  public func verdict(on answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    .usual(for: answer, now: now)
  }

  /// By default, returns a retry, so the events may arrive twice, with the same identities.
  ///
  /// - Parameters:
  ///   - error: The reason, which reports show.
  ///   - group: Ignored.
  public func verdict(on error: TransportError, group: String) -> DeliveryVerdict {
    .retry(error.reason, detail: error.detail)
  }
}

/// The part of a request that contains one event.
public struct EventEntry: Sendable {
  /// The bytes of the event in a request's body.
  public let bytes: [UInt8]
  /// The group of the event.
  ///
  /// A request contains only events of one group. For example, if a request names its client, a
  /// group contains the events of one client.
  public let group: String

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the event in a request's body.
  ///   - group: The group of events that may share a request; empty if all events may share one.
  public init(_ bytes: [UInt8], group: String = "") {
    self.bytes = bytes
    self.group = group
  }
}

/// The reason why an event is not sent to a destination.
///
/// After 32 reasons, events with further reasons are counted together.
public struct EventRefusal: Error, Hashable, CustomStringConvertible {
  /// The field at fault, such as `properties.value`; nil if the whole event is at fault.
  ///
  /// Events are counted by the field and the reason together.
  public let field: String?
  /// The fault: one of a small set of texts, because events are counted by the field and this text.
  public let reason: String

  /// Creates a refusal.
  ///
  /// - Parameters:
  ///   - field: The field at fault, such as `properties.value`; nil if the whole event is at fault.
  ///   - reason: The fault: one of a small set of texts, without the field's value.
  public init(field: String? = nil, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  /// The refusal of a record that is not a readable line of JSON.
  static let unreadable = EventRefusal("its record in the queue cannot be read")

  /// The field, if any, and the fault.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}

/// The limits of one request.
public struct RequestLimits: Hashable, Sendable {
  /// The maximum number of events, at least 1; a smaller number becomes 1.
  public var events: Int { didSet { events = max(1, events) } }
  /// The maximum number of bytes of the uncompressed body, at least 1; a smaller number becomes 1.
  ///
  /// An event that alone exceeds this limit is refused, and counts as lost.
  public var bytes: Int { didSet { bytes = max(1, bytes) } }
  /// The number of bytes of the separator, whether it is only between entries or after each entry.
  public var separator: Int

  /// Creates limits.
  ///
  /// A number of events or bytes below 1 becomes 1.
  ///
  /// - Parameters:
  ///   - events: The maximum number of events.
  ///   - bytes: The maximum number of bytes of the uncompressed body.
  ///   - separator: The number of bytes of the separator, whether it is only between entries or
  ///     after each entry.
  public init(events: Int, bytes: Int, separator: Int = 1) {
    self.events = max(1, events)
    self.bytes = max(1, bytes)
    self.separator = separator
  }
}
