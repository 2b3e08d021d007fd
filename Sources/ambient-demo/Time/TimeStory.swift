import Ambient
import Checkout

/// The effects of time on a basket, at frozen instants: the same in every run.
struct TimeStory: Sendable {
  let shop: Shop

  /// A part of the story: a table, and an optional sentence after it.
  struct Chapter {
    let heading: String
    let table: Table
    var end: String?

    fileprivate func text(style: Style) -> String {
      let lines = [style.bold(heading)] + table.lines(style: style)
      return (lines + (end?.wrapped(to: style.textWidth) ?? [])).joined(separator: "\n")
    }
  }

  /// The finished chapters of the story. Printing them logs and tracks nothing: the checkouts were
  /// logged and tracked when the chapters were made.
  struct Told: Encodable {
    private let basket: String
    private let chapters: [Chapter]

    fileprivate init(basket: String, chapters: [Chapter]) {
      self.basket = basket
      self.chapters = chapters
    }

    func text(style: Style) -> String {
      """
      \(style.bold("What time does to a basket"))
      \(basket.wrapped(to: style.textWidth).joined(separator: "\n"))

      \(chapters.map { $0.text(style: style) }.joined(separator: "\n\n"))


      """
    }
  }

  /// Makes all chapters of the story.
  func tell() async throws -> Told {
    Told(
      basket: """
        2 coffee, 1 mug and the coupon WELCOME10, at \(shop.name) in \(shop.zone); prices in USD.
        """,
      chapters: [try await promotion(), try await quote(), try await clockChange()])
  }

  /// A checkout desk with the basket of the story, filled at the current time.
  func makeDesk() async throws -> CheckoutDesk {
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    try await desk.basket.add("coffee", 2)
    try await desk.basket.add("mug")
    try await desk.basket.use(coupon: "WELCOME10")
    return desk
  }

  /// The promotion that reduces the price, if there is one.
  func promotion(of priced: PricedBasket) -> String? {
    priced.lines.compactMap(\.promotion).first
  }
}

extension TimeStory.Chapter: Encodable {
  private enum CodingKeys: String, CodingKey {
    case heading, rows, end
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(heading, forKey: .heading)
    try fields.encode(table.records, forKey: .rows)
    try fields.encodeIfPresent(end, forKey: .end)
  }
}
