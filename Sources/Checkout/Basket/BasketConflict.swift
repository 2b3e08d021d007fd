/// A change to a basket that was lost when the copies of two devices or processes were merged.
public enum BasketConflict: Hashable, Sendable, CustomStringConvertible {
  /// Both devices have changed the coupon. The first value is this device's coupon, which is lost;
  /// `kept` is the other device's coupon. Each is nil if that device removed its coupon.
  case coupon(String?, kept: String?)
  /// The merged quantity of a product exceeds the limit of a line. The second value is the merged
  /// quantity; `kept` is the limit, which is the quantity in the basket now.
  case quantity(SKU, Int, kept: Int)

  /// The lost change, the reason, and advice.
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

  /// A stable name of the conflict for logs and programs.
  public var code: String {
    switch self {
    case .coupon: "coupon"
    case .quantity: "quantity_too_large"
    }
  }
}
