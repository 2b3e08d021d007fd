extension CheckoutError {
  /// A name that stays the same, for logs and programs: it holds nothing of what was typed.
  public var code: String {
    switch self {
    case .unknownSKU: "unknown_sku"
    case .quantityNotPositive: "quantity_not_positive"
    case .quantityTooLarge: "quantity_too_large"
    case .mixedCurrencies: "mixed_currencies"
    case .emptyBasket: "empty_basket"
    case .unknownCoupon: "unknown_coupon"
    case .lapsedCoupon: "lapsed_coupon"
    case .earlyCoupon: "early_coupon"
    case .couponCurrency: "coupon_currency"
    case .couponMinimum: "coupon_minimum"
    case .insufficientStock: "insufficient_stock"
    case .outsideSaleHours: "outside_sale_hours"
    case .underAge: "under_age"
    case .unknownAge: "unknown_age"
    case .notYetBorn: "not_yet_born"
    case .lapsedQuote: "lapsed_quote"
    case .lapsedReservation: "lapsed_reservation"
    case .lapsedSession: "lapsed_session"
    case .sessionLength: "session_length"
    case .keyReused: "key_reused"
    case .badKey: "bad_key"
    case .refundTooLarge: "refund_too_large"
    case .money: "money"
    case .store: "store"
    case .payment: "payment"
    }
  }
}
