import Ambient
import Checkout

extension Command {
  static let basket = Command(
    name: "basket",
    summary: "Fill a stored basket, and show what it costs now or at any instant.",
    details: """
      The items and the coupon are put in the basket of the folder that --store names, all or none; \
      without any, it is only shown. The checkout command buys it.
      """,
    options: [
      CheckoutOptions.store, CheckoutOptions.item, CheckoutOptions.coupon, CheckoutOptions.at,
      CheckoutOptions.shop,
    ] + ServiceOptions.all + [CheckoutOptions.json],
    prepare: { arguments in
      let lines = try CheckoutOptions.lines(arguments)
      let coupon = arguments[CheckoutOptions.coupon]
      let isJSON = arguments.has(CheckoutOptions.json)
      let shop = try CheckoutOptions.shop(arguments)
      guard let store = try CheckoutOptions.store(arguments) else {
        throw UsageError.missingOption(CheckoutOptions.store.usage)
      }
      return Run(services: try CheckoutOptions.services(arguments)) { output in
        let stored = try StoredDesk(shop: shop, store: store)
        let basket = stored.desk.basket
        if !lines.isEmpty || coupon != nil { try await basket.add(lines, coupon: coupon) }
        let priced = try await basket.price()
        let statement = Statement(shop: shop, priced: priced, date: Time.now)
        // First shown, then saved: who does not see what was added adds it again.
        try output.write(isJSON ? JSONLine.of(priced) : statement.text(style: output.style))
        try stored.save()
      }
    })
}
