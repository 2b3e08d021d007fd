internal import Ambient
public import Foundation

/// Goods that are kept for a buyer, for a while.
public struct Reservation: Hashable, Sendable, Identifiable {
  /// What tells it from every other reservation.
  public let id: UUID
  /// The goods.
  public let lines: [BasketLine]
  /// How long they are kept, by monotonic time.
  public let lifetime: MonotonicLifetime

  /// Whether the goods are still kept.
  public var isHeld: Bool { lifetime.isAlive }
}

/// What a shop has, and what of it is reserved; safe to use from any thread.
///
/// Each call takes time in proportion to the products and to the lines that are reserved.
public final class StockRoom: Sendable {
  /// How long goods are kept if nobody says otherwise.
  public static let standardLength = Duration.seconds(15 * 60)

  private struct State {
    var levels: [SKU: Int]
    var reservations: [UUID: Reservation] = [:]

    /// How many of each product are not reserved.
    func available() -> [SKU: Int] {
      var available = levels
      for reservation in reservations.values {
        for line in reservation.lines { available[line.sku, default: 0] -= line.quantity }
      }
      return available
    }

    mutating func restock(_ lines: [BasketLine]) {
      for line in lines { levels[line.sku, default: 0] += line.quantity }
    }

    mutating func dropLapsed(at uptime: Duration) {
      reservations = reservations.filter { $0.value.lifetime.isAlive(at: uptime) }
    }
  }

  private let state: Guarded<State>

  /// A room with that many of each product.
  public init(_ levels: [SKU: Int]) { state = Guarded(State(levels: levels)) }

  /// How many of a product are there and not reserved.
  public func available(_ sku: SKU) -> Int {
    let uptime = Time.uptime  // asked before the lock: a time may be anybody's code
    return state.withLock { state in
      state.dropLapsed(at: uptime)
      return state.available()[sku] ?? 0
    }
  }

  /// Keeps all of the goods for a while, or none of them.
  ///
  /// - Throws: ``CheckoutError/insufficientStock(_:wanted:available:)``.
  public func reserve(
    _ lines: [BasketLine], for length: Duration = standardLength
  ) throws(CheckoutError) -> Reservation {
    let wanted = Dictionary(lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
      .sorted { $0.key < $1.key }
    let reservation = Reservation(
      id: Identifier.next(), lines: lines, lifetime: MonotonicLifetime(lasting: length))
    try state.withLock { state throws(CheckoutError) in
      state.dropLapsed(at: reservation.lifetime.start)
      let levels = state.available()
      for (sku, wanted) in wanted {
        let available = levels[sku] ?? 0
        guard available >= wanted else {
          throw .insufficientStock(sku, wanted: wanted, available: available)
        }
      }
      state.reservations[reservation.id] = reservation
    }
    return reservation
  }

  /// Gives the goods up; those of a reservation that is over are free already.
  public func release(_ reservation: Reservation) {
    state.withLock { _ = $0.reservations.removeValue(forKey: reservation.id) }
  }

  /// Takes the goods out of the room, once.
  ///
  /// - Throws: ``CheckoutError/lapsedReservation(after:)`` if they are no longer kept.
  public func take(_ reservation: Reservation) throws(CheckoutError) {
    let uptime = Time.uptime
    try state.withLock { state throws(CheckoutError) in
      state.dropLapsed(at: uptime)
      guard state.reservations.removeValue(forKey: reservation.id) != nil else {
        throw .lapsedReservation(after: reservation.lifetime.length)
      }
      for line in reservation.lines { state.levels[line.sku, default: 0] -= line.quantity }
    }
  }

  /// Puts goods that were taken back, still reserved for as long as they were.
  public func putBack(_ reservation: Reservation) {
    state.withLock { state in
      state.restock(reservation.lines)
      state.reservations[reservation.id] = reservation
    }
  }

  /// Puts goods into the room.
  public func restock(_ lines: [BasketLine]) {
    state.withLock { $0.restock(lines) }
  }
}
