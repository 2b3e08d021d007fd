// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import Testing

@Suite struct `Shop files` {
  /// The example with one text replaced by another.
  private func error(_ old: String, _ new: String) throws -> ShopFileError? {
    let text = Shop.exampleJSON.replacing(old, with: new, maxReplacements: 1)
    try #require(text != Shop.exampleJSON, "the example has “\(old)”")
    do throws(ShopFileError) {
      _ = try Shop(json: Data(text.utf8), file: "shop.json")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("\"name\": \"The Corner Roastery\",", "", "name", ShopProblem.missingField),
      ("\"sku\": \"mug\",", "", "products[1].sku", .missingField),
      ("\"cutoff\": \"14:00\",", "", "shipping.cutoff", .missingField),
      ("\"stock\"", "\"stocks\"", "stocks", .unknownField(nearest: "stock")),
      ("\"end\"", "\"edn\"", "promotions[0].edn", .unknownField(nearest: "end")),
      (
        "\"included\": false", "\"included\": 0", "tax.included",
        .wrongType(expected: "true or false")
      ),
      (
        "\"name\": \"Stoneware mug\"", "\"name\": 7", "products[1].name",
        .wrongType(expected: "a text")
      ),
      (
        "\"holidays\": [", "\"holidays\": [7, ", "shipping.holidays[0]",
        .wrongType(expected: "a text")
      ),
      ("\"coffee\": 120", "\"coffee\": 1.5", "stock.coffee", nil),
      ("\"coffee\": 120", "\"coffee\": -1", "stock.coffee", .negative),
      ("\"coffee\": 120", "\"coffee\": 99999999999999999999", "stock.coffee", nil),
      (
        "\"coffee\": 120", "\"tea\": 120", "stock.tea",
        .checkout(.unknownSKU("tea", nearest: nil))
      ),
      ("\"sku\": \"mug\"", "\"sku\": \"coffee\"", "products[1].sku", .duplicate("coffee")),
      ("\"sku\": \"mug\"", "\"sku\": \"\"", "products[1].sku", .empty),
      ("14.00 USD", "-14.00 USD", "products[0].price", .negative),
      ("\"1.50 USD\"", "\"-1.50 USD\"", "promotions[2].amountOff", .negative),
      ("\"5.00 USD\"", "\"-5.00 USD\"", "coupons[1].amountOff", .negative),
      ("\"150.00 USD\"", "\"-150.00 USD\"", "coupons[2].minimum", .negative),
      (
        "14.00 USD", "14.00", "products[0].price", .money(.unreadableAmount("14.00"))
      ),
      (
        "America/New_York", "Mars/Olympus", "zone", .calendar(.unknownZone("Mars/Olympus"))
      ),
      ("2026-12-01T00:00", "2026-11-26T00:00", "promotions[0].end", nil),
      (
        "2026-11-27T00:00", "2026-11-31T00:00", "promotions[0].start",
        .calendar(.impossibleMoment("2026-11-31T00:00"))
      ),
      ("\"lastDay\": \"2026-08-31\"", "\"lastDay\": \"2026-05-31\"", "coupons[1].lastDay", nil),
      ("SUMMER5", "welcome10", "coupons[1].code", .duplicate("WELCOME10")),
      ("\"percentOff\": 25", "\"percentOff\": 101", "promotions[0].percentOff", nil),
      (
        "\"percentOff\": 25", "\"percentOff\": 25, \"amountOff\": \"1 USD\"", "promotions[0]",
        .ambiguousDiscount
      ),
      ("\"percentOff\": 25,", "", "promotions[0]", .ambiguousDiscount),
      (
        "\"rates\": [", "\"rates\": [{ \"from\": \"2010-01-01\", \"percent\": 8 },",
        "tax.rates[1].from", .unordered
      ),
      (
        "\"processingDays\": 1", "\"processingDays\": 9223372036854775807",
        "shipping.processingDays",
        .calendar(.outOfRange(.max, 0...365))
      ),
      (
        "\"maximumTransitDays\": 4", "\"maximumTransitDays\": 1", "shipping.maximumTransitDays",
        .calendar(.outOfRange(1, 2...365))
      ),
      (
        "\"minimumTransitDays\": 2", "\"minimumTransitDays\": -1", "shipping.minimumTransitDays",
        .calendar(.outOfRange(-1, 0...365))
      ),
      (
        "\"cutoff\"", "\"daysOff\": [\"funday\"], \"cutoff\"", "shipping.daysOff[0]",
        .wrongType(expected: "a day of the week, such as monday")
      ),
      ("The Corner Roastery", "", "name", .empty),
      ("\"sku\": \"mug\"", "\"sku\": \"mug:1\"", "products[1].sku", .unwritableSKU),
      ("\"sku\": \"mug\"", "\"sku\": \"mu g\"", "products[1].sku", .unwritableSKU),
      ("\"sku\": \"mug\"", "\"sku\": \"mug\\n\"", "products[1].sku", .unwritableSKU),
      ("14.00 USD", "90000000000000000.00 USD", "products[0].price", .money(.overflow)),
      (
        "1.50 USD", "1.50 EUR", "promotions[2].amountOff",
        .otherCurrency(.eur, products: .usd)
      ),
      ("5.00 USD", "5 JPY", "coupons[1].amountOff", .otherCurrency(.jpy, products: .usd)),
      ("150.00 USD", "150 JPY", "coupons[2].minimum", .otherCurrency(.jpy, products: .usd)),
      ("2026-12-01T00:00", "2026-11-27T00:00", "promotions[0].end", nil),
      (
        "\"lastDay\": \"2026-08-31\"", "\"lastDay\": \"2026-05-31\"", "coupons[1].lastDay", nil
      ),
      (
        "\"minimumAge\": 21", "\"minimumAge\": -1", "products[5].minimumAge",
        .calendar(.outOfRange(-1, 0...150))
      ),
      (
        "\"to\": \"02:00\"", "\"to\": \"01:00\"", "promotions[1].hours", nil
      ),
      ("\"name\": \"Stoneware mug\"", "\"name\": \"\"", "products[1].name", .empty),
      ("\"name\": \"Black Friday\"", "\"name\": \"\"", "promotions[0].name", .empty),
      ("\"code\": \"SUMMER5\"", "\"code\": \"\"", "coupons[1].code", .empty),
      (
        "\"skus\": [\"mug\"]", "\"skus\": [\"coffee\", \"mgu\"]", "promotions[2].skus",
        .checkout(.unknownSKU("mgu", nearest: "mug"))
      ),
      (
        "\"percentOff\": 25", "\"amountOff\": \"1 JPY\"", "promotions[0].amountOff",
        .otherCurrency(.jpy, products: .usd)
      ),
      (
        "\"coffee\": 120", "\"coffee\": 1000000001", "stock.coffee",
        .calendar(.outOfRange(1_000_000_001, 0...1_000_000_000))
      ),
      (
        "\"processingDays\": 1", "\"processingDays\": -1", "shipping.processingDays",
        .calendar(.outOfRange(-1, 0...365))
      ),
      (
        "\"minimumTransitDays\": 2", "\"minimumTransitDays\": 366", "shipping.minimumTransitDays",
        .calendar(.outOfRange(366, 0...365))
      ),
      (
        "\"maximumTransitDays\": 4", "\"maximumTransitDays\": 366", "shipping.maximumTransitDays",
        .calendar(.outOfRange(366, 2...365))
      ),
      (
        "\"withdrawalDays\": 14", "\"withdrawalDays\": 366", "withdrawalDays",
        .calendar(.outOfRange(366, 0...365))
      ),
    ] as [(String, String, String, ShopProblem?)])
  func `an error about a shop file names the wrong field`(
    old: String, new: String, field: String, problem: ShopProblem?
  ) throws {
    let error = try #require(try error(old, new))
    #expect(error.field == field)
    #expect(error.file == "shop.json")
    if let problem { #expect(error.problem == problem) }
    #expect(error.description.hasPrefix("shop.json: \(field): "))
  }

  @Test(arguments: [
    ("\"coffee\": 120", "\"coffee\": 0"), ("\"coffee\": 120", "\"coffee\": 1000000000"),
    ("\"processingDays\": 1", "\"processingDays\": 0"),
    ("\"processingDays\": 1", "\"processingDays\": 365"),
    ("\"minimumTransitDays\": 2", "\"minimumTransitDays\": 4"),
    ("\"maximumTransitDays\": 4", "\"maximumTransitDays\": 365"),
    (
      "\"minimumTransitDays\": 2,\n    \"maximumTransitDays\": 4",
      "\"minimumTransitDays\": 0, \"maximumTransitDays\": 0"
    ),
    ("\"withdrawalDays\": 14", "\"withdrawalDays\": 0"),
    ("\"withdrawalDays\": 14", "\"withdrawalDays\": 365"),
    ("\"percentOff\": 25", "\"percentOff\": 100"), ("14.00 USD", "0.00 USD"),
    ("\"minimumAge\": 21", "\"minimumAge\": 0"), ("\"minimumAge\": 21", "\"minimumAge\": 150"),
    ("\"price\": \"12.50 USD\"", "\"price\": \"12.50 USD\", \"billingMonths\": 120"),
  ])
  func `each field of a shop file accepts its least and greatest value`(old: String, new: String)
    throws
  {
    #expect(try error(old, new) == nil)
  }

  @Test func `a withdrawal period ends on a business day`() throws {
    func lastDay(_ shop: Shop, _ delivered: String) throws -> String? {
      let day = try LocalDate(delivered)
      return shop.withdrawal.map { "\($0.lastDay(delivered: day))" }
    }
    // 14 days later, it is a Saturday, and the holiday of 25 December.
    let shop = try Shop.example()
    #expect(try lastDay(shop, "2026-11-28") == "2026-12-14")
    #expect(try lastDay(shop, "2026-12-11") == "2026-12-28")
    let open = try Shop(
      name: "Open", zone: .utc, products: [], tax: TaxSchedule(rates: []), withdrawalDays: 14)
    #expect(try lastDay(open, "2026-11-28") == "2026-12-12")
  }

  @Test func `a shop file can contain the optional fields that the example shop doesn't use`()
    throws
  {
    let text = """
      {
        "name": "The book box", "zone": "Europe/Berlin",
        "products": [
          { "sku": "novel", "name": "A novel", "price": "10.70 EUR", "taxClass": "books" },
          { "sku": "box", "name": "A box a month", "price": "19.00 EUR", "billingMonths": 1 }
        ],
        "stock": { "novel": 3 },
        "tax": {
          "included": true,
          "rates": [{ "from": "2007-01-01", "percent": 19 }],
          "classes": { "books": [{ "from": "1983-07-01", "percent": 7 }] }
        },
        "shipping": {
          "cutoff": "13:00", "processingDays": 2, "minimumTransitDays": 1,
          "maximumTransitDays": 3, "daysOff": ["sunday"], "holidays": ["2026-12-25"]
        },
        "terms": {
          "sessionSeconds": 2400, "quoteSeconds": 600, "reservationSeconds": 1200,
          "keySeconds": 7200, "paymentSeconds": 20
        },
        "withdrawalDays": 30
      }
      """
    let products = [
      Product(sku: "novel", name: "A novel", price: try Money("10.70 EUR"), taxClass: "books"),
      Product(sku: "box", name: "A box a month", price: try Money("19.00 EUR"), billingMonths: 1),
    ]
    let tax = try TaxSchedule(
      included: true, rates: [.init(from: LocalDate("2007-01-01"), percent: Percentage(19))],
      classes: ["books": [.init(from: LocalDate("1983-07-01"), percent: Percentage(7))]])
    let shipping = ShippingTerms(
      cutoff: try LocalTime("13:00"), processingDays: 2, minimumTransitDays: 1,
      maximumTransitDays: 3, daysOff: [.sunday], holidays: [try LocalDate("2026-12-25")])
    let terms = try CheckoutTerms(
      session: .seconds(2_400), quote: .seconds(600), reservation: .seconds(1_200),
      keys: .seconds(7_200), payment: .seconds(20))
    let shop = try Shop(json: Data(text.utf8), file: "shop.json")
    #expect(shop.catalogue.products == products)
    #expect(shop.stock == ["novel": 3])
    #expect(shop.promotions == [] && shop.coupons == [])
    #expect(shop.tax == tax)
    #expect(shop.shipping == shipping)
    #expect(shop.terms == terms)
    #expect(shop.withdrawalDays == 30)
  }

  @Test func `the error about a promotion that ends before it starts shows both bounds`() throws {
    let error = try #require(try error("2026-12-01T00:00", "2026-11-26T00:00"))
    let (start, end) = (
      try Date(iso8601: "2026-11-27T05:00:00Z"), try Date(iso8601: "2026-11-26T05:00:00Z")
    )
    #expect(error.field == "promotions[0].end")
    #expect(error.problem == .calendar(.endsBeforeItStarts(start: start, end: end)))
  }

  @Test(arguments: [
    (
      "2026-12-01T00:00", "2026-11-27T00:00", "promotions[0].end", "2026-11-27T05:00:00Z"
    ),
    (
      "\"lastDay\": \"2026-08-31\"", "\"lastDay\": \"2026-05-31\"", "coupons[1].lastDay",
      "2026-06-01"
    ),
    (
      "1.50 USD", "1.50 EUR", "promotions[2].amountOff", "EUR"
    ),
    (
      "\"sku\": \"mug\", \"name\"", "\"sku\": mug", "", "line 6, column 14"
    ),
  ])
  func `an error about a shop file describes the problem and its place in the file`(
    old: String, new: String, field: String, part: String
  ) throws {
    let error = try #require(try error(old, new))
    #expect(error.file == "shop.json" && error.field == field)
    #expect(error.problem.description.contains(part), "\(error)")
  }

  @Test(arguments: [
    "", "null", "[]", "7", "\"shop\"", "{", "{}}", "{\"name\":", "\u{0}", "{\"name\": \"\\ud800\"}",
  ])
  func `JSON that isn't a shop throws an error instead of crashing`(text: String) {
    #expect(throws: ShopFileError.self) { try Shop(json: Data(text.utf8), file: "shop.json") }
  }

  @Test(arguments: ["[", "{\"name\":"])
  func `deeply nested JSON throws an error instead of crashing`(text: String) {
    let json = Data(String(repeating: text, count: 100_000).utf8)
    #expect(throws: ShopFileError.self) { try Shop(json: json, file: "shop.json") }
  }

  @Test func `a truncated shop file throws an error instead of crashing`() {
    let bytes = Array(Shop.exampleJSON.utf8)
    for count in stride(from: 0, to: bytes.count - 2, by: 7) {
      #expect(throws: ShopFileError.self) {
        try Shop(json: Data(bytes.prefix(count)), file: "shop.json")
      }
    }
  }

  @Test func `a shop file path that doesn't lead to a regular file is refused`() {
    let error = #expect(throws: ShopFileError.self) { try Shop(contentsOf: "/dev/null") }
    #expect(error?.file == "/dev/null" && error?.field == "")
  }

  @Test func `the error for a missing shop file says that there is no such file`() throws {
    let path = "/nowhere/shop.json"
    let error = #expect(throws: ShopFileError.self) { try Shop(contentsOf: path) }
    #expect(error?.problem == .unreadable("No such file or directory"))
  }
}
