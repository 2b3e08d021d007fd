/// The local dates between which a parcel arrives, both inclusive.
public struct DeliveryDates: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The first.
  public let first: LocalDate
  /// The last.
  public let last: LocalDate

  /// The two dates.
  public var description: String { first == last ? "\(first)" : "\(first) to \(last)" }
}
