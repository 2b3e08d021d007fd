extension PriceList {
  /// The line at the price of the promotion that takes most off; of equals, the first.
  func price(
    _ line: BasketLine, _ product: Product, _ promotions: [Promotion]
  ) throws(CheckoutError) -> PricedLine {
    var best: (promotion: Promotion, reduction: Money)?
    for promotion in promotions where promotion.skus?.contains(product.sku) ?? true {
      guard let reduction = promotion.discount.reduction(of: product.price) else { continue }
      if reduction.minorUnits > best?.reduction.minorUnits ?? 0 { best = (promotion, reduction) }
    }
    let reduction = best?.reduction ?? .zero(product.price.currency)
    do throws(MoneyError) {
      let net = try product.price.subtracting(reduction)
      return PricedLine(
        sku: product.sku, name: product.name, quantity: line.quantity, unitPrice: product.price,
        unitDiscount: reduction, unitNet: net, promotion: best?.promotion.name,
        total: try net.multiplied(by: line.quantity))
    } catch {
      throw .money(error)
    }
  }

  /// The sum of the lines, which are of one currency, after the coupon and the tax.
  func total(
    _ lines: [PricedLine], currency: Currency, _ coupon: Coupon?, _ rate: Percentage?
  ) throws(CheckoutError) -> PricedBasket {
    let subtotal = try sum(lines, currency)
    let off: Money =
      if let coupon { try reduction(of: subtotal, by: coupon) } else { .zero(currency) }
    do throws(MoneyError) {
      let net = try subtotal.subtracting(off)
      let tax =
        rate.map { taxIncluded ? $0.contained(in: net) : $0.of(net) } ?? .zero(currency)
      return PricedBasket(
        lines: lines, subtotal: subtotal, coupon: coupon?.code, couponDiscount: off,
        taxRate: rate, tax: tax, taxIncluded: taxIncluded,
        total: taxIncluded ? net : try net.adding(tax))
    } catch {
      throw .money(error)
    }
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
