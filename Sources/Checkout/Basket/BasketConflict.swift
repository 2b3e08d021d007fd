/// A change to a basket that was lost in a merge of two devices or processes.
public enum BasketConflict: Hashable, Sendable, CustomStringConvertible {
  /// Both have changed the coupon, here to the first value (nil for none); the other device's is
  /// kept.
  case coupon(String?, kept: String?)
  /// The two devices' quantities together exceed the limit of a product in a basket.
  case quantity(SKU, Int, kept: Int)

  /// The kept change, and advice.
  public var description: String {
    switch self {
    case .coupon(let coupon?, let kept):
      """
      the coupon “\(coupon)” was not kept, since another device has \
      \(kept.map { "put in “\($0)”" } ?? "taken the coupon out"); use it again if you want it
      """
    case .coupon(nil, let kept):
      "another device has put in the coupon “\(kept ?? "")”; take it out again if you want none"
    case .quantity(let sku, let sum, let kept):
      "\(sum) of “\(sku)” are more than a basket takes; \(kept) are in it"
    }
  }

  /// A name that stays the same, for logs and programs.
  public var code: String {
    switch self {
    case .coupon: "coupon"
    case .quantity: "quantity_too_large"
    }
  }
}
