internal import Ambient
public import Foundation

/// Goods that are kept for a buyer, for a while.
public struct Reservation: Hashable, Sendable, Identifiable {
  /// The identity of the reservation.
  public let id: UUID
  /// The goods.
  public let lines: [BasketLine]
  /// How long they are kept, by monotonic time.
  public let lifetime: MonotonicLifetime
  /// The instant at which they are free again if the process starts anew: uptime is that of one
  /// run, so after a restart the wall counts.
  let end: Date

  /// Keeps these goods from now on.
  init(_ lines: [BasketLine], lasting length: Duration) {
    id = Identifier.next()
    self.lines = lines
    lifetime = MonotonicLifetime(lasting: length)
    end = Time.now.advanced(by: length)
  }

  /// Whether the goods are still kept.
  public var isHeld: Bool { lifetime.isAlive }
}

extension Reservation: Codable {
  private enum CodingKeys: String, CodingKey { case id, lines, length, end }

  /// Reads a reservation of an earlier run, for as long as the wall says that it lasts; a wall that
  /// was set back meanwhile makes it no longer than it was.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(UUID.self, forKey: .id)
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    end = try fields.decode(Date.self, forKey: .end)
    lifetime = MonotonicLifetime(
      lasting: try fields.decode(Duration.self, forKey: .length), until: end, at: ClockReading())
  }

  /// Writes the end by the wall and not by the uptime.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(lines, forKey: .lines)
    try fields.encode(lifetime.length, forKey: .length)
    try fields.encode(end, forKey: .end)
  }
}
