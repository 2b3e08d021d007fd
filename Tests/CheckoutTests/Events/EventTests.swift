import Ambient
import Checkout
import Testing

@Suite struct `Events of the shop` {
  @Test(arguments: [("0.10 USD", 3, 0.3), ("19.99 USD", 3, 59.97), ("1.234 KWD", 7, 8.638)])
  func `give the value of a line without the noise of fractions`(
    price: String, quantity: Int, value: Double
  ) throws {
    let product = Product(sku: "pin", name: "Pin", price: try Money(price))
    for event in [
      Event.addToCart(product, quantity: quantity),
      .removeFromCart(product, quantity: quantity),
    ] {
      #expect(event.properties["value"] == .double(value))
    }
  }
}
