// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// Goods that are reserved for a buyer, for some time.
public struct Reservation: Hashable, Sendable, Identifiable {
  /// The identity of the reservation.
  public let id: UUID
  /// The goods.
  public let lines: [BasketLine]
  /// The monotonic time for which the goods are reserved.
  public let lifetime: MonotonicLifetime
  /// The wall time at which the reservation ends. It is stored for a later process, because an
  /// uptime has no meaning after a restart of the machine.
  let end: Date

  /// Creates a reservation of the goods, which begins now.
  init(_ lines: [BasketLine], lasting length: Duration) {
    id = AmbientIdentifier.next()
    self.lines = lines
    lifetime = MonotonicLifetime(lasting: length)
    end = Time.now.advanced(by: length)
  }

  /// Whether the goods are still reserved.
  public var isHeld: Bool { lifetime.isAlive }
}

extension Reservation: Codable {
  private enum CodingKeys: String, CodingKey { case id, lines, length, end }

  /// Reads a reservation that an earlier process wrote. The remaining time is computed from the
  /// wall clock, but is at most the whole length, even if the wall clock was set back.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(UUID.self, forKey: .id)
    lines = try fields.decode([BasketLine].self, forKey: .lines)
    end = try fields.decode(Date.self, forKey: .end)
    lifetime = MonotonicLifetime(
      lasting: try fields.decode(Duration.self, forKey: .length), until: end, at: ClockReading())
  }

  /// Writes the reservation, with its end as wall time, because an uptime has no meaning after a
  /// restart of the machine.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(lines, forKey: .lines)
    try fields.encode(lifetime.length, forKey: .length)
    try fields.encode(end, forKey: .end)
  }
}
