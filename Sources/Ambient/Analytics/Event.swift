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
  public let name: String
  /// The properties.
  public let properties: AmbientFields

  /// An event of that name.
  public init(_ name: String, _ properties: AmbientFields = [:]) {
    self.name = name
    self.properties = properties
  }
}
