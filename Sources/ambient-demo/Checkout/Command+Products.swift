import Ambient
import Checkout

extension Command {
  static let products = Command(
    name: "products",
    summary: "List what the shop sells, and for how much now or at any instant.",
    details: """
      The prices are those of one, after the promotion that takes most off, before coupons, and as \
      the shop writes them: with the tax or without.
      """,
    options: [CheckoutOptions.shop, CheckoutOptions.at] + ServiceOptions.all
      + [CheckoutOptions.json],
    prepare: { arguments in
      let isJSON = arguments.has(CheckoutOptions.json)
      let shop = try CheckoutOptions.shop(arguments)
      return Run(services: try CheckoutOptions.services(arguments, in: shop)) { output in
        let list = try ProductList(shop: shop)
        try output.write(isJSON ? list.json() : list.text(style: output.style))
      }
    })
}
