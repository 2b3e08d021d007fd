internal import Ambient
public import Foundation

/// Goods that are reserved for a buyer, for some time.
public struct Reservation: Hashable, Sendable, Identifiable {
  /// The identity of the reservation.
  public let id: UUID
  /// The goods.
  public let lines: [BasketLine]
  /// The time for which they are reserved, by monotonic time.
  public let lifetime: MonotonicLifetime
  /// The instant at which the goods become available again if the process is restarted: uptime
  /// belongs to one run of the machine, so the wall clock counts then.
  let end: Date

  /// Reserves these goods from now on.
  init(_ lines: [BasketLine], lasting length: Duration) {
    id = Identifier.next()
    self.lines = lines
    lifetime = MonotonicLifetime(lasting: length)
    end = Time.now.advanced(by: length)
  }

  /// Whether the goods are still reserved.
  public var isHeld: Bool { lifetime.isAlive }
}

extension Reservation: Codable {
  private enum CodingKeys: String, CodingKey { case id, lines, length, end }

  /// Reads a reservation of an earlier run. Its remaining time is computed from the wall clock; if
  /// that was set back meanwhile, the reservation gets no longer than it was.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(UUID.self, forKey: .id)
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    end = try fields.decode(Date.self, forKey: .end)
    lifetime = MonotonicLifetime(
      lasting: try fields.decode(Duration.self, forKey: .length), until: end, at: ClockReading())
  }

  /// Writes the end as wall time, not as uptime.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(lines, forKey: .lines)
    try fields.encode(lifetime.length, forKey: .length)
    try fields.encode(end, forKey: .end)
  }
}
