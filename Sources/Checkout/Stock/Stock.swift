// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The goods that a shop has in stock, and the reservations of some of them.
///
/// Adding or releasing a reservation takes time in proportion to the number of its lines. Inserting
/// the reservation into the queue `lapses`, or removing it from that queue when it lapses, takes
/// further time in proportion to the logarithm of the queue's length.
struct Stock: Sendable {
  /// The goods in stock, reserved or not.
  private(set) var levels: [SKU: Int]
  private(set) var reservations: [UUID: Reservation] = [:]
  /// The reserved items of each product: the sum over `reservations`.
  private var reserved: [SKU: Int] = [:]
  /// The reservations, in the order in which they lapse. A released reservation stays in the queue
  /// until it lapses; it is then ignored.
  private var lapses = LapseQueue<UUID>()

  init(_ levels: [SKU: Int]) { self.levels = levels }

  /// The number of items of a product that are in stock and not reserved.
  func available(_ sku: SKU) -> Int { levels[sku, default: 0] - reserved[sku, default: 0] }

  /// Checks that all of the goods can be reserved.
  ///
  /// - Throws: ``CheckoutError/insufficientStock(_:wanted:available:)`` for the first product, in
  ///   the order of SKUs, that has too few items.
  func check(_ lines: [BasketLine]) throws(CheckoutError) {
    let wanted = Dictionary(lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
    for (sku, wanted) in wanted.sorted(by: { $0.key < $1.key }) where wanted > available(sku) {
      throw .insufficientStock(sku, wanted: wanted, available: available(sku))
    }
  }

  mutating func hold(_ reservation: Reservation) {
    guard reservations.updateValue(reservation, forKey: reservation.id) == nil else { return }
    for line in reservation.lines { reserved[line.sku, default: 0] += line.quantity }
    lapses.add(reservation.id, end: reservation.lifetime.end)
  }

  /// Releases the goods of a reservation; returns whether it existed.
  @discardableResult
  mutating func release(_ id: UUID) -> Bool {
    guard let reservation = reservations.removeValue(forKey: id) else { return false }
    for line in reservation.lines { reserved[line.sku, default: 0] -= line.quantity }
    return true
  }

  mutating func dropLapsed(at uptime: Duration) {
    while let id = lapses.next(at: uptime) { release(id) }
  }

  mutating func add(_ lines: [BasketLine]) {
    for line in lines { levels[line.sku, default: 0] += line.quantity }
  }

  mutating func take(_ lines: [BasketLine]) {
    for line in lines { levels[line.sku, default: 0] -= line.quantity }
  }

  mutating func setLevels(_ levels: [SKU: Int]) { self.levels = levels }
}
