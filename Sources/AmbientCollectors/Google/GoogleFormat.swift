// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Writes events in the JSON of the Measurement Protocol.
struct GoogleFormat: EventFormat {
  let stream: GoogleStream
  /// The client of events that name no client.
  let client: String
  let options: GoogleOptions
  let sessions = GoogleSessions()

  func write(
    _ tracked: TrackedEvent, now: Date, _ inspection: inout EventInspection
  ) -> EventEntry? {
    let event = options.mapping(tracked.event)
    let client = client(of: event, tracked, &inspection)
    let date = moment(of: tracked.date, now: now, &inspection)
    let name = GoogleRules.eventName(stream).settle(event.name, at: "event", &inspection)
    guard let client, let date, let name else { return nil }
    let fields = parameters(
      of: event, name, session: session(of: event, tracked.user, client, tracked.date, &inspection),
      &inspection)
    noteMissing(in: fields, of: name, &inspection)

    var bytes = Array(#"{"name":"#.utf8)
    bytes.append(json: name)
    bytes += #","params":"#.utf8
    bytes.append(json: .fields(fields))
    bytes += ",\"timestamp_micros\":\(Self.micros(date))}".utf8
    let isCountedOnce =
      stream == .web && name == "purchase" && fields["transaction_id"] != nil
    let group = GoogleGroup(
      isCountedOnce: isCountedOnce && options.unknownOutcome == .dropped,
      head: head(client, of: event, tracked.user, &inspection))
    guard
      inspection.isSmallEnough(group.overhead + bytes.count, below: GoogleRules.request.bytes)
    else { return nil }
    return EventEntry(bytes, group: group.text)
  }

  // MARK: - Times

  /// The time that is sent for an event; nil if the event is older than 72 hours and `lateEvents`
  /// is `dropped`. An event without an age (`Date.hasAge`) is never dropped.
  private func moment(
    of date: Date, now: Date, _ inspection: inout EventInspection
  ) -> Date? {
    let date = inspection.settleTime(of: date, now: now)
    let oldest = now - GoogleRules.age / .seconds(1)
    guard date < oldest else { return date }
    let isDropped = options.lateEvents == .dropped && date.hasAge
    inspection.note(
      .tooOld, at: "time", needs: "an event at most 72 hours old",
      found: "\(Int(now.timeIntervalSince(date) / 3_600)) hours",
      isDropped ? .refused : .moved(to: oldest),
      "deliver sooner\(isDropped ? ", or set lateEvents to .moved" : "")")
    return isDropped ? nil : oldest
  }

  /// The date in microseconds since 1970, rounded to whole milliseconds, because the queue stores
  /// dates in milliseconds.
  private static func micros(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1_000).rounded()) * 1_000
  }

  // MARK: - Missing parameters

  private func noteMissing(
    in fields: AmbientFields, of name: String, _ inspection: inout EventInspection
  ) {
    let all = GoogleRules.needed[name] ?? []
    for needed in all where fields[needed] == nil || fields[needed] == .array([]) {
      inspection.note(
        .missing, at: "properties.\(needed)", needs: "a value",
        found: fields[needed] == nil ? "none" : "an empty list", .kept,
        "Google does not count a “\(name)” without it")
    }
    guard fields["value"] != nil, fields["currency"] == nil, !all.contains("currency"),
      !GoogleRules.virtual.contains(name)
    else { return }
    inspection.note(
      .missing, at: "properties.currency", needs: "the currency of the value", found: "none", .kept,
      "Google ignores a value without a currency")
  }
}

/// The part of a request that is the same for all of its events.
struct GoogleGroup {
  /// Whether Google counts these events once, however often they arrive. Always false if the option
  /// `unknownOutcome` is `retried`: a request with an unknown outcome is then always sent again, so
  /// the events that count once need no group of their own.
  let isCountedOnce: Bool
  /// The body's beginning, up to the events.
  let head: String

  private static let start = #","events":["#
  private static let end = "]}"

  init(isCountedOnce: Bool, head: String) {
    self.isCountedOnce = isCountedOnce
    self.head = head
  }

  init(_ text: String) {
    isCountedOnce = text.hasPrefix("1")
    head = String(text.dropFirst())
  }

  var text: String { "\(isCountedOnce ? "1" : "0")\(head)" }
  var overhead: Int { head.utf8.count + Self.start.utf8.count + Self.end.utf8.count }

  func body(_ entries: [[UInt8]]) -> [UInt8] {
    var body = Array(head.utf8)
    body += Self.start.utf8
    body += entries.joined(separator: ",".utf8)
    body += Self.end.utf8
    return body
  }
}
