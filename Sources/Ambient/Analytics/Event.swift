/// Something that a user did, or that happened: a name and properties.
///
/// Declare your events beside the types that they speak of:
///
/// ```swift
/// extension Event {
///   static func purchase(_ order: Order) -> Event {
///     Event("purchase", ["transaction_id": order.id, "value": order.total])
///   }
/// }
/// ```
public struct Event: Hashable, Sendable {
  /// The name, as `purchase`.
  public var name: String
  /// The properties.
  public var properties: AmbientFields
  /// Whose event it is, if that is not ``Analytics/user``.
  public var user: AnalyticsUser?

  /// An event of that name.
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

  /// An event whose properties are the members of an encodable value, as it encodes them.
  ///
  /// ```swift
  /// let event = try Event("order", encoding: order)
  /// Analytics.track(event)
  /// ```
  ///
  /// - Throws: ``AmbientEncodingError`` if the value is no object, or does not encode itself.
  public init(
    _ name: String, encoding value: some Encodable, user: AnalyticsUser? = nil
  ) throws(AmbientEncodingError) {
    self.init(name, try AmbientFields(encoding: value), user: user)
  }
}

extension Event {
  /// The event as one line of JSON, without its newline: `{"event":"purchase","properties":{…}}`,
  /// and `"user":{"id":"ada","traits":{…}}` between the two if it says whose it is.
  ///
  /// A mark stands for each private value, also where ``AmbientPrivacy/isRevealing`` shows it.
  public var json: String {
    LineBuffer.with { line in
      line.append("{")
      let event = redacted
      event.append(to: &line, event.user)
      return line.text
    }
  }

  /// Appends what follows in the object, and its end.
  func append(to line: inout LineBuffer, _ user: AnalyticsUser?) {
    line.append("\"event\":")
    line.append(json: name)
    if let user {
      line.append(",\"user\":")
      user.append(to: &line)
    }
    line.append(",\"properties\":")
    properties.read { line.append(json: $0) }
    line.append("}")
  }
}
