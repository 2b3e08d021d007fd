// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// The prices of a shop: its catalogue, promotions, coupons and tax. The time windows of promotions
/// and coupons (`Window`) are stored as instants.
///
/// Safe to use from any thread. Pricing a basket takes time in proportion to the number of its
/// lines times the number of promotions.
public struct PriceList: Sendable {
  /// The products.
  public let catalogue: Catalogue
  /// The zone of the shop.
  public let zone: Zone
  private let promotions: [(promotion: Promotion, window: Window)]
  private let coupons: [String: (coupon: Coupon, window: Window)]
  private let tax: TaxSchedule

  /// Whether the prices include the tax.
  public var taxIncluded: Bool { tax.included }

  /// Creates a price list. Converts the windows of promotions and coupons to instants once, not for
  /// each basket.
  ///
  /// - Parameters:
  ///   - catalogue: The products.
  ///   - promotions: The promotions; for each line, the best current one counts.
  ///   - coupons: The coupons; if two have the same code, the last one counts.
  ///   - tax: The tax rates, and whether prices include the tax.
  ///   - zone: The zone of the shop, for the dates of windows and tax rates.
  /// - Throws: ``CalendarError`` for a window that ends before or when it starts.
  public init(
    catalogue: Catalogue, promotions: [Promotion], coupons: [Coupon], tax: TaxSchedule,
    zone: Zone
  ) throws(CalendarError) {
    self.catalogue = catalogue
    self.zone = zone
    self.tax = tax
    var resolved: [(promotion: Promotion, window: Window)] = []
    for promotion in promotions { resolved.append((promotion, try promotion.window(in: zone))) }
    self.promotions = resolved
    var byCode: [String: (coupon: Coupon, window: Window)] = [:]
    for coupon in coupons { byCode[coupon.code] = (coupon, try coupon.window(in: zone)) }
    self.coupons = byCode
  }

  /// The promotions in force now, in the order in which the shop lists them.
  public var currentPromotions: [Promotion] { promotions(at: Time.now) }

  /// The coupon of that code, if it is valid now. Ignores the case of letters.
  ///
  /// - Parameter code: The code as it was typed.
  /// - Returns: The coupon; its currency and minimum are checked only when a basket is priced.
  /// - Throws: ``CheckoutError`` for a coupon that is unknown, has lapsed, or is not yet valid.
  public func coupon(_ code: String) throws(CheckoutError) -> Coupon {
    try coupon(code, at: Time.now)
  }

  /// The price of a basket now: the best promotion for each line, then the coupon, then tax.
  ///
  /// - Parameter basket: The lines and the code of a coupon.
  /// - Returns: The basket with the price of each line, the tax and the total.
  /// - Throws: ``CheckoutError`` for an empty basket, an unknown product, two currencies, a coupon
  ///   that is not valid, or amounts that are too large.
  public func price(_ basket: Basket) throws(CheckoutError) -> PricedBasket {
    try price(basket, at: Time.now)
  }

  /// The price of the basket at a given instant, for example to price several baskets at the same
  /// instant.
  ///
  /// - Parameters:
  ///   - basket: The lines and the code of a coupon.
  ///   - now: The instant at which promotions, coupons and tax rates must be in force.
  /// - Returns: The basket with the price of each line, the tax and the total.
  /// - Throws: The errors of ``price(_:)``.
  public func price(_ basket: Basket, at now: Date) throws(CheckoutError) -> PricedBasket {
    try price(basket, try catalogue.products(of: basket.lines), at: now)
  }

  /// The price of a basket, the products of whose lines the caller has looked up.
  func price(
    _ basket: Basket, _ products: [Product], at now: Date
  ) throws(CheckoutError) -> PricedBasket {
    let current = promotions(at: now)
    let today = zone.date(of: now)
    var lines: [PricedLine] = []
    for (line, product) in zip(basket.lines, products) {
      let rate = tax.rate(on: today, for: product.taxClass)
      lines.append(try price(line, product, current, rate))
    }
    guard let first = lines.first else { throw .emptyBasket }
    let currency = first.unitPrice.currency
    if let other = lines.first(where: { $0.unitPrice.currency != currency }) {
      throw .mixedCurrencies(other.sku, other.unitPrice.currency, basket: currency)
    }
    let coupon: Coupon? =
      if let code = basket.coupon { try self.coupon(code, at: now) } else { nil }
    return try total(lines, currency: currency, coupon)
  }

  private func promotions(at now: Date) -> [Promotion] {
    promotions.lazy
      .filter { $0.window.contains(now) && $0.promotion.hours?.contains(now, in: zone) ?? true }
      .map(\.promotion)
  }

  private func coupon(_ code: String, at now: Date) throws(CheckoutError) -> Coupon {
    guard let (coupon, window) = coupons[code.uppercased()] else {
      throw .unknownCoupon(code, nearest: NearestWord.find(for: code, in: coupons.keys.sorted()))
    }
    if let firstDay = coupon.firstDay, let start = window.start, now < start {
      throw .earlyCoupon(coupon.code, firstDay: firstDay)
    }
    if let lastDay = coupon.lastDay, !window.contains(now) {
      throw .lapsedCoupon(coupon.code, lastDay: lastDay)
    }
    return coupon
  }
}

extension PriceList {
  /// Prices a line with the promotion that reduces its unit price most; if several reduce it
  /// equally, the first one applies.
  func price(
    _ line: BasketLine, _ product: Product, _ promotions: [Promotion], _ rate: Percentage?
  ) throws(CheckoutError) -> PricedLine {
    var best: (promotion: Promotion, reduction: Money)?
    for promotion in promotions where promotion.skus?.contains(product.sku) ?? true {
      guard let reduction = promotion.discount.reduction(of: product.price) else { continue }
      if reduction.minorUnits > best?.reduction.minorUnits ?? 0 { best = (promotion, reduction) }
    }
    let reduction = best?.reduction ?? .zero(product.price.currency)
    do throws(MoneyError) {
      let net = try product.price.subtracting(reduction)
      let total = try net.multiplied(by: line.quantity)
      let none = Money.zero(total.currency)
      return PricedLine(
        sku: product.sku, name: product.name, quantity: line.quantity, unitPrice: product.price,
        unitDiscount: reduction, unitNet: net, promotion: best?.promotion.name, total: total,
        couponDiscount: none, taxRate: rate, tax: none, paid: total)
    } catch {
      throw .money(error)
    }
  }

  /// Applies the coupon and the tax to priced lines of one currency, and adds up the lines.
  func total(
    _ lines: [PricedLine], currency: Currency, _ coupon: Coupon?
  ) throws(CheckoutError) -> PricedBasket {
    var lines = lines
    let subtotal = try sum(lines, currency)
    let off: Money =
      if let coupon { try reduction(of: subtotal, by: coupon) } else { .zero(currency) }
    for (index, part) in off.split(by: lines.map(\.total)).enumerated() {
      lines[index].couponDiscount = part
    }
    do throws(MoneyError) {
      for index in lines.indices {
        lines[index].paid = try lines[index].total.subtracting(lines[index].couponDiscount)
      }
      let taxes = try addTaxes(to: &lines)
      var tax = Money.zero(currency)
      for part in taxes { tax = try tax.adding(part.tax) }
      let net = try subtotal.subtracting(off)
      return PricedBasket(
        lines: lines, subtotal: subtotal, coupon: coupon?.code, couponDiscount: off,
        taxes: taxes, tax: tax, taxIncluded: taxIncluded,
        total: taxIncluded ? net : try net.adding(tax))
    } catch {
      throw .money(error)
    }
  }

  /// Computes the tax of each rate once, from the sum of the lines with that rate, so that rounding
  /// happens once; then splits the tax over these lines.
  private func addTaxes(to lines: inout [PricedLine]) throws(MoneyError) -> [TaxedSum] {
    var taxes: [TaxedSum] = []
    for rate in lines.compactMap(\.taxRate) where !taxes.contains(where: { $0.rate == rate }) {
      let indices = lines.indices.filter { lines[$0].taxRate == rate }
      var price = Money.zero(lines[0].paid.currency)
      for index in indices { price = try price.adding(lines[index].paid) }
      let tax = taxIncluded ? rate.contained(in: price) : rate.of(price)
      for (index, part) in zip(indices, tax.split(by: indices.map { lines[$0].paid })) {
        lines[index].tax = part
        if !taxIncluded { lines[index].paid = try lines[index].paid.adding(part) }
      }
      taxes.append(TaxedSum(rate: rate, price: price, tax: tax))
    }
    return taxes
  }

  private func sum(
    _ lines: [PricedLine], _ currency: Currency
  ) throws(CheckoutError) -> Money {
    do throws(MoneyError) {
      var sum = Money.zero(currency)
      for line in lines { sum = try sum.adding(line.total) }
      return sum
    } catch {
      throw .money(error)
    }
  }

  private func reduction(of subtotal: Money, by coupon: Coupon) throws(CheckoutError) -> Money {
    if let minimum = coupon.minimum {
      guard minimum.currency == subtotal.currency else {
        throw .couponCurrency(coupon.code, minimum.currency, basket: subtotal.currency)
      }
      guard subtotal.minorUnits >= minimum.minorUnits else {
        throw .couponMinimum(coupon.code, minimum)
      }
    }
    if let reduction = coupon.discount.reduction(of: subtotal) { return reduction }
    guard case .amount(let amount) = coupon.discount else { return .zero(subtotal.currency) }
    throw .couponCurrency(coupon.code, amount.currency, basket: subtotal.currency)
  }
}
