import Ambient
import Checkout

extension Command {
  static let checkout = Command(
    name: "checkout",
    summary: "Buy something at the shop, now or at any instant.",
    details: """
      Promotions, the coupon, tax and delivery are decided by the time, which --at makes stand \
      still. Each step is logged and tracked.
      """,
    options: CheckoutOptions.all + [CheckoutOptions.wiring] + ServiceOptions.all
      + [CheckoutOptions.json],
    prepare: { arguments in
      let lines = try CheckoutOptions.lines(arguments)
      if lines.isEmpty, !arguments.has(CheckoutOptions.store) {
        throw UsageError.missingOption(CheckoutOptions.item.usage)
      }
      let shop = try CheckoutOptions.shop(arguments)
      let services = try CheckoutOptions.services(arguments, in: shop)
      let purchase = Purchase(
        lines: lines, coupon: arguments[CheckoutOptions.coupon],
        born: try CheckoutOptions.born(arguments, by: shop.zone.date(of: services.time.now)),
        isJSON: arguments.has(CheckoutOptions.json), shop: shop,
        store: try CheckoutOptions.store(arguments),
        wiring: CheckoutOptions.wiring(arguments))
      return Run(services: services, body: purchase.make)
    })
}
