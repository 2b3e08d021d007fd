public import Ambient

extension CheckoutError: DescribedError {
  /// Says what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .unknownSKU(let sku, let nearest):
      "there is no product “\(sku)”" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
    case .quantityNotPositive(let sku, let count):
      "\(count) of “\(sku)” cannot be bought; write 1 or more"
    case .quantityTooLarge(let sku):
      "that many of “\(sku)” cannot be bought; write at most \(BasketLine.limit)"
    case .mixedCurrencies(let sku, let currency, let basket):
      "“\(sku)” costs \(currency), and the basket is in \(basket); buy it by itself"
    case .emptyBasket: "the basket is empty; add something first"
    case .unknownCoupon(let code, let nearest):
      "there is no coupon “\(code)”" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
    case .lapsedCoupon(let code, let day): "the coupon “\(code)” was valid through \(day)"
    case .earlyCoupon(let code, let day): "the coupon “\(code)” is valid from \(day) on"
    case .couponCurrency(let code, let currency, let basket):
      "the coupon “\(code)” is in \(currency), and the basket is in \(basket)"
    case .couponMinimum(let code, let minimum):
      "the coupon “\(code)” wants a basket of \(minimum) or more"
    case .insufficientStock(let sku, _, ...0): "“\(sku)” is sold out; buy without it"
    case .insufficientStock(let sku, let wanted, let available):
      "\(wanted) of “\(sku)” are wanted, and \(available) available; write fewer"
    case .outsideSaleHours(let sku, let hours):
      "“\(sku)” may be sold from \(hours) only; come back then"
    case .underAge(let sku, let years):
      "“\(sku)” may be sold to people of \(years) years or more only; buy without it"
    case .unknownAge(let sku, let years):
      "“\(sku)” may be sold to people of \(years) years or more only; say when you were born"
    case .notYetBorn(let day): "\(day) is still to come; write the date of your birth"
    case .lapsedQuote(let end): "the price was locked until \(Text.of(end)); ask for a new one"
    case .lapsedReservation(let length):
      "the goods were reserved for \(length.components.seconds) seconds; begin the checkout again"
    case .lapsedSession(let end):
      "the session was open until \(Text.of(end)); begin the checkout again"
    case .sessionLength(let length):
      """
      a session of \(length.components.seconds) seconds is not possible; ask for 30 minutes to \
      24 hours
      """
    case .keyReused(let key): "the key “\(key)” was used for another order; take a new one"
    case .badKey: "an idempotency key has 1 to 255 bytes; write a shorter text, or any"
    case .refundTooLarge(let amount, let left):
      "\(amount) cannot be refunded; write more than nothing and at most \(left)"
    case .money(let error): error.description
    case .store(let error): error.description
    case .payment(let error): error.description
    }
  }
}
