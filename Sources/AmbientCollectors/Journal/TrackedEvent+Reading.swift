// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Foundation

extension TrackedEvent {
  /// Reads an event from a line made by `json`, with or without its newline.
  ///
  /// Properties keep their order, and whole numbers stay whole. Dates, infinities, NaN and the
  /// marks of private values are read as text, as JSON has no form for them. Unknown members are
  /// skipped. Reading takes some microseconds, which is too slow for hot paths.
  ///
  /// - Parameter line: The line, in the form of `json` or of a file of events.
  /// - Throws: ``TrackedEventError`` if the line is not a tracked event, or if the event's time is
  ///   not in the years 1 to 9999.
  public init(json line: String) throws(TrackedEventError) {
    try self.init(json: line.utf8)
  }

  /// Reads an event from the UTF-8 bytes of a line made by `json`.
  ///
  /// - Parameter line: The bytes of the line in UTF-8, as in a queue or a file of events.
  /// - Throws: ``TrackedEventError`` if the line is not a tracked event, or if the event's time is
  ///   not in the years 1 to 9999.
  public init(json line: some Collection<UInt8>) throws(TrackedEventError) {
    // Valid: the pointers are used only within the closures.
    let read = line.withContiguousStorageIfAvailable { Self.read(UnsafeRawBufferPointer($0)) }
    self = try (read ?? Array(line).withUnsafeBytes { Self.read($0) }).get()
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer
  ) -> Result<TrackedEvent, TrackedEventError> {
    do throws(JSONReader.Mistake) {
      let value = try JSONReader.value(bytes)
      do throws(TrackedEventError) {
        return .success(try TrackedEvent(value))
      } catch {
        return .failure(error)
      }
    } catch {
      return .failure(
        TrackedEventError("at byte \(error.offset + 1), expected \(error.expected)"))
    }
  }

  /// The event with `date`, if `date` lies within the event's millisecond; otherwise the event
  /// unchanged. An event read from a line has only milliseconds, so `date` may be more precise.
  func moved(to date: Date) -> TrackedEvent {
    TrackedEvent(event, id: id, date: self.date.finer(date), user: user)
      .with(anonymousID: anonymousID)
  }

  /// The user and the anonymous identity of the event in a line, even if the event's time cannot be
  /// read; nil if the line is not a JSON object, or if these members are malformed.
  static func owner(
    inJSON line: [UInt8]
  ) -> (user: AnalyticsUser?, anonymousID: String?)? {
    // Valid: the pointer is used only within the closure.
    let value = line.withUnsafeBytes { try? JSONReader.value($0) }
    guard case .fields(let members) = value else { return nil }
    return try? owner(in: members)
  }

  private static func owner(
    in line: AmbientFields
  ) throws(TrackedEventError) -> (user: AnalyticsUser?, anonymousID: String?) {
    var user: AnalyticsUser?
    if line["user"] != nil {
      let fields = try fields("user", in: line)
      user = AnalyticsUser(
        try text("id", in: fields, of: "user"), try Self.fields("traits", in: fields))
    }
    return (user, line["anonymous_id"] == nil ? nil : try text("anonymous_id", in: line))
  }

  private init(_ value: AmbientValue) throws(TrackedEventError) {
    guard case .fields(let line) = value else { throw TrackedEventError("it is not an object") }
    guard let id = UUID(uuidString: try Self.text("id", in: line)) else {
      throw TrackedEventError("its “id” is not a UUID")
    }
    let time = try Self.text("time", in: line)
    let date: Date
    do throws(ISO8601Error) {
      date = try Date(iso8601: time)
    } catch {
      throw TrackedEventError("its “time”: \(error)")
    }
    let event = Event(
      try Self.text("event", in: line), try Self.fields("properties", in: line))
    let owner = try Self.owner(in: line)
    self = TrackedEvent(event, id: id, date: date, user: owner.user)
      .with(anonymousID: owner.anonymousID)
  }

  private static func text(
    _ name: String, in fields: AmbientFields, of whole: String = "line"
  ) throws(TrackedEventError) -> String {
    guard case .string(let text)? = fields[name] else {
      throw TrackedEventError("the \(whole) has no string “\(name)”")
    }
    return text
  }

  /// The object of that name; empty if it is missing, because `JSONReader` leaves out empty
  /// objects.
  private static func fields(
    _ name: String, in line: AmbientFields
  ) throws(TrackedEventError) -> AmbientFields {
    switch line[name] {
    case nil: return [:]
    case .fields(let fields)?: return fields
    default: throw TrackedEventError("its “\(name)” is not an object")
    }
  }
}

extension Date {
  /// `other`, if it lies within the millisecond that begins at this date; otherwise this date.
  func finer(_ other: Date?) -> Date {
    guard let other, (0..<0.001).contains(other.timeIntervalSince(self)) else { return self }
    return other
  }
}

/// The error of a line that is not a tracked event.
public struct TrackedEventError: DescribedError, Hashable {
  /// The fault, and its place in the line.
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The fault, its place, and an example of a valid line.
  public var description: String {
    """
    invalid tracked event: \(reason.escaped); use a line such as \
    {"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{}}
    """
  }
}
