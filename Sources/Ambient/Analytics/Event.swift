// SPDX-License-Identifier: Apache-2.0

/// A user's action, or something else that happened, as a name and properties.
///
/// Declare events beside the types that they describe:
///
/// ```swift
/// extension Event {
///   static func purchase(_ order: Order) -> Event {
///     Event("purchase", ["transaction_id": order.id, "value": order.total])
///   }
/// }
/// ```
public struct Event: _Nonisolated, Hashable, Sendable {
  /// The name, such as `purchase`.
  public var name: String
  /// The properties.
  public var properties: AmbientFields
  /// The user to whom the event belongs; nil stands for ``Analytics/user``.
  public var user: AnalyticsUser?

  /// Creates an event with a name, properties and a user.
  ///
  /// - Parameters:
  ///   - name: The event's name, such as `purchase`.
  ///   - properties: The event's properties; nil, null and empty groups are left out.
  ///   - user: The user to whom the event belongs. If nil, the event belongs to the user who is
  ///     current when the event is tracked.
  public init(_ name: String, _ properties: AmbientFields = [:], user: AnalyticsUser? = nil) {
    self.name = name
    self.properties = properties
    self.user = user
  }

  @available(
    *, unavailable,
    message: "write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)"
  )
  public init(_ name: String, _ properties: [String: Any], user: AnalyticsUser? = nil) {
    self.init(name)
  }

  /// Creates an event whose properties are the encoded members of a value.
  ///
  /// ```swift
  /// let event = try Event("order", encoding: order)
  /// Analytics.track(event)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The event's name, such as `purchase`.
  ///   - value: A value whose encoded members are the properties.
  ///   - user: The user to whom the event belongs. If nil, the event belongs to the user who is
  ///     current when the event is tracked.
  /// - Throws: ``AmbientEncodingError`` if the value does not encode as an object, is deeper than
  ///   64 levels, or throws, or if a part of it encodes itself in two forms, such as an object and
  ///   a list.
  public init(
    _ name: String, encoding value: some Encodable, user: AnalyticsUser? = nil
  ) throws(AmbientEncodingError) {
    self.init(name, try AmbientFields(encoding: value), user: user)
  }
}

extension Event {
  /// The event as one line of JSON, without its newline: `{"event":"purchase","properties":{…}}`.
  ///
  /// An event with a user has `"user":{"id":"ada","traits":{…}}` between the name and the
  /// properties. Private values are replaced by marks such as `<private>`, even while
  /// ``AmbientPrivacy/isRevealing`` is true.
  public var json: String {
    LineBuffer.with { line in
      line.append("{")
      let event = redacted
      event.append(to: &line, event.user, anonymousID: nil)
      return line.text
    }
  }

  /// Appends the event's members to an open JSON object, and closes the object.
  func append(to line: inout LineBuffer, _ user: AnalyticsUser?, anonymousID: String?) {
    line.append("\"event\":")
    line.append(json: name)
    if let user {
      line.append(",\"user\":")
      user.append(to: &line)
    }
    if let anonymousID {
      line.append(",\"anonymous_id\":")
      line.append(json: anonymousID)
    }
    line.append(",\"properties\":")
    properties.read { line.append(json: $0) }
    line.append("}")
  }
}
