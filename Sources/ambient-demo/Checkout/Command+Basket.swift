import Checkout

extension Command {
  static let basket = Command(
    name: "basket",
    summary: "Fill a stored basket, and show what it costs now or at any instant.",
    details: """
      First products are taken out of the basket of the folder that --store names, then the items \
      and the coupon are put in: all or nothing. Without any, the basket is only shown. The checkout \
      command buys it.
      """,
    options: [
      CheckoutOptions.store, CheckoutOptions.item, CheckoutOptions.remove, CheckoutOptions.coupon,
      CheckoutOptions.noCoupon, CheckoutOptions.at, CheckoutOptions.shop,
    ] + ServiceOptions.all + [CheckoutOptions.json],
    prepare: { arguments in
      let lines = try CheckoutOptions.lines(arguments)
      let shop = try CheckoutOptions.shop(arguments)
      guard let store = try CheckoutOptions.store(arguments) else {
        throw UsageError.missingOption(CheckoutOptions.store.usage)
      }
      let change = BasketChange(
        lines: lines, removed: arguments.all(CheckoutOptions.remove).map { SKU($0) },
        coupon: arguments[CheckoutOptions.coupon],
        removesCoupon: arguments.has(CheckoutOptions.noCoupon),
        isJSON: arguments.has(CheckoutOptions.json), shop: shop, store: store)
      return Run(services: try CheckoutOptions.services(arguments, in: shop), body: change.make)
    })
}
