#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TrackedEvent {
  /// Reads an event from a line that ``json`` has made; its newline may be there.
  ///
  /// The order of properties stays, and whole numbers stay whole. What JSON has no form for is
  /// text: dates, infinities, and the marks of private values. Members with other names are passed
  /// over. Not meant for where time is dear: it takes some microseconds.
  ///
  /// - Throws: ``TrackedEventError`` if it is no such line.
  public init(json line: String) throws(TrackedEventError) {
    self = try line.withBytes { Self.read($0) }.get()
  }

  /// Reads an event from the bytes of such a line, in UTF-8.
  ///
  /// - Throws: ``TrackedEventError`` if it is no such line.
  public init(json line: some Collection<UInt8>) throws(TrackedEventError) {
    // Valid: the bytes are used within the closure alone.
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

  /// Whose the event of such a line is, also if its time is no date that can be read; nil if it is
  /// nobody's.
  package static func user(inJSON line: [UInt8]) -> AnalyticsUser.ID? {
    // Valid: the bytes are used within the closure alone.
    let value = line.withUnsafeBytes { try? JSONReader.value($0) }
    guard case .fields(let members) = value, let user = try? fields("user", in: members) else {
      return nil
    }
    return try? text("id", in: user)
  }

  private init(_ value: AmbientValue) throws(TrackedEventError) {
    guard case .fields(let line) = value else { throw TrackedEventError("it is no object") }
    guard let id = UUID(uuidString: try Self.text("id", in: line)) else {
      throw TrackedEventError("its “id” is no UUID")
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
    var user: AnalyticsUser?
    if line["user"] != nil {
      let fields = try Self.fields("user", in: line)
      user = AnalyticsUser(
        try Self.text("id", in: fields, of: "user"), try Self.fields("traits", in: fields))
    }
    self.init(event, id: id, date: date, user: user)
  }

  private static func text(
    _ name: String, in fields: AmbientFields, of whole: String = "line"
  ) throws(TrackedEventError) -> String {
    guard case .string(let text)? = fields[name] else {
      throw TrackedEventError("the \(whole) has no text “\(name)”")
    }
    return text
  }

  /// The object of that name; none is one without members, which is left out where it is read.
  private static func fields(
    _ name: String, in line: AmbientFields
  ) throws(TrackedEventError) -> AmbientFields {
    switch line[name] {
    case nil: return [:]
    case .fields(let fields)?: return fields
    default: throw TrackedEventError("its “\(name)” is no object")
    }
  }
}

/// Why a line is no tracked event.
public struct TrackedEventError: DescribedError, Hashable {
  /// What is wrong, and where.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// Says what is wrong, where, and what a right line looks like.
  public var description: String {
    """
    the line is no tracked event: \(reason) \
    (as in {"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{}})
    """
  }
}
