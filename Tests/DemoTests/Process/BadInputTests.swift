import Foundation
import TestSupport
import Testing

@Suite struct `Bad input` {
  private let demo = Demo()

  @Test(arguments: [
    ("--item cofee", 1, "there is no product “cofee”; did you mean “coffee”?"),
    ("--item mug --item xyz", 1, "no product “xyz”; ambient-demo products lists what there is\n"),
    ("--item coffee:-1", 64, "--item: “coffee:-1” cannot be bought; write 1 to 1000000 after"),
    ("--item coffee:0", 64, "--item: “coffee:0” cannot be bought; write 1 to 1000000 after"),
    ("--item coffee:1000001", 64, "--item: “coffee:1000001” cannot be bought; write 1 to 1000000"),
    ("--item coffee:1000000 --item coffee", 1, "that many of “coffee” cannot be bought"),
    ("--item coffee:99999999999999999999", 64, "“coffee:99999999999999999999” cannot be bought"),
    ("--item coffee:-99999999999999999999", 64, "“coffee:-99999999999999999999” cannot be bought"),
    ("--item grinder:4", 1, "4 of “grinder” are wanted, and 3 available"),
    ("--item coffee:two", 64, "--item: “coffee:two” is no product; write --item SKU[:QUANTITY]"),
    ("--item coffee:1.5", 64, "--item: “coffee:1.5” is no product"),
    ("--item coffee:", 64, "--item: “coffee:” is no product"),
    ("--item coffee:2:3", 64, "--item: “coffee:2:3” is no product"),
    ("--item :2", 64, "--item: “:2” is no product"),
    ("--item mug --coupon WELCOME11", 1, "no coupon “WELCOME11”; did you mean “WELCOME10”?"),
    ("--item mug --coupon SUMMER5", 1, "the coupon “SUMMER5” was valid through 2026-08-31"),
    ("--item mug --item poster", 1, "“poster” costs EUR, and the basket is in USD"),
    ("--item liqueur", 1, "people of 21 years or more only; say when you were born"),
    ("--item liqueur --born 2010-01-01", 1, "people of 21 years or more only; buy without it"),
    ("--item liqueur --born 2026-11-28", 64, "--born: 2026-11-28 is still to come; write the date"),
    ("--item \u{1B}[2J", 1, "there is no product “\\u001b[2J”"),
    ("--item mug --\u{1B}[2J", 64, "checkout has no option “--\\u001b[2J”"),
    ("--item liqueur --born 2026-02-30", 64, "--born: “2026-02-30” is no date"),
    ("--item mug --shop none.json", 1, "none.json: cannot be read: "),
    ("--item mug --shop /dev/zero", 1, "/dev/zero: cannot be read: it is no regular file"),
    ("--item mug --log-level loud", 64, "--log-level: “loud” is no level: choose trace"),
    ("--item mug --log file:kept/basket.json/a", 1, "cannot append to “kept/basket.json/a”: "),
    ("--item mug --analytics file:kept/basket.json/a", 1, "cannot append to “kept/basket.json/a”"),
  ])
  func `is explained, and leaves the stored basket as it was`(
    line: String, status: Int, text: String
  ) async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let outcome = try await demo(
      line: "checkout --at 2026-11-27T12:00:00-05:00 --store kept \(line)"
        + (line.contains("--log") ? "" : " --log none"))
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: "))
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == (status == 64 ? 2 : 1))
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }

  @Test(arguments: [
    ("--store kept --coupon WELCOME10", 1, "the basket is empty; add something first"),
    ("--store kept --item gold:2", 1, "the amount is too large to be counted"),
    ("--item gold", 64, "--store DIR is missing"),
  ])
  func `for a basket is explained, and leaves no basket where there was none`(
    line: String, status: Int, text: String
  ) async throws {
    try demo.folder.write(
      """
      {
        "name": "Gold", "zone": "UTC", "tax": { "included": true, "rates": [] },
        "products": [{ "sku": "gold", "name": "Gold", "price": "90000000000000000.00 EUR" }],
        "coupons": [{ "code": "WELCOME10", "percentOff": 10 }]
      }
      """, to: "shop.json")
    let outcome = try await demo(line: "basket --shop shop.json --log none \(line)")
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path + "/kept/basket.json"))
  }

  @Test(arguments: [
    (["--item", "mug", "--amount", "1.00 USD"], "--amount: it goes without --item"),
    (
      ["--amount", "1.00"],
      "--amount: “1.00” is no amount; write a number with a point and its currency, as 4.50 USD"
    ),
    (
      ["--item", "mug", "--item", "coffee:two"],
      "--item: “coffee:two” is no product; write --item SKU[:QUANTITY], as coffee:2"
    ),
    (
      ["--item", "mug:0"],
      "--item: “mug:0” cannot be bought; write 1 to 1000000 after the colon"
    ),
  ])
  func `for a refund is explained, status 64, and makes no folder`(
    options: [String], text: String
  ) async throws {
    let outcome = try await demo(["refund", UUID().uuidString, "--store", "kept"] + options)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "ambient-demo: \(text)\nSee ambient-demo refund --help.\n")
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("kept")))
  }

  @Test(arguments: ["2026-02-30T00:00:00Z", "2026-11-27T24:30:00Z", "2026-13-27", "tomorrow"])
  func `of an instant says where it is wrong, status 64`(instant: String) async throws {
    let outcome = try await demo(line: "checkout --item mug --at \(instant)")
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("ambient-demo: --at: “\(instant)” is no "))
  }

  @Test(arguments: ["0001-01-01T00:00:00Z", "0001-01-01T04:00:00Z"])
  func `of an instant before the shop's calendar says so, status 64`(instant: String) async throws {
    let outcome = try await demo(line: "checkout --item mug --at \(instant)")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == """
        ambient-demo: --at: “\(instant)” is before the year 1 or after 9999 in America/New_York; \
        write one between
        See ambient-demo checkout --help.

        """)
  }

  @Test(arguments: [
    (#""zone": "UTC","#, "", "shop.json: zone: is missing; add this field"),
    (#""zone": "UTC","#, #""zone": "Mars/Base","#, "shop.json: zone: “Mars/Base” is no time zone"),
    ("2026-12-01", "2026-11-26", "shop.json: promotions[0].end: the window ends ("),
    ("2026-12-01", "2026-11-31", "shop.json: promotions[0].end: “2026-11-31” is no date"),
    ("5.00 EUR", "5 Euro", "shop.json: products[0].price: “Euro” is no currency"),
    ("\"tax\"", "\"taxs\"", "shop.json: taxs: is no field of a shop; did you mean “tax”?"),
    ("}", "", "shop.json: is no JSON: "),
    ("\"tea\": 9", "\"tea\": 0", "“tea” is sold out; buy without it\n"),
  ])
  func `of a shop's file names the field, status 1`(
    right: String, wrong: String, text: String
  ) async throws {
    let shop = """
      {
        "name": "Tea", "zone": "UTC",
        "products": [{ "sku": "tea", "name": "Green tea", "price": "5.00 EUR" }],
        "stock": { "tea": 9 },
        "promotions": [
          { "name": "A", "percentOff": 10, "start": "2026-11-27", "end": "2026-12-01" }
        ],
        "tax": { "included": true, "rates": [] }
      }
      """
    try demo.folder.write(shop, to: "right.json")
    let sound = try await demo(line: "checkout --item tea --shop right.json --log none")
    try #require(sound.status == 0, "\(sound.errors)")
    try demo.folder.write(shop.replacing(right, with: wrong), to: "shop.json")
    let outcome = try await demo(line: "checkout --item tea --shop shop.json --log none")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
  }

  @Test func `of a stored basket names the file and stays as it was`() async throws {
    try demo.folder.write("{}", to: "kept/basket.json")
    let outcome = try await demo(line: "checkout --item mug --store kept --log none")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("kept/basket.json: "))
    #expect(try demo.folder.text("kept/basket.json") == "{}")
  }

  @Test func `is a store that is no folder`() async throws {
    try demo.folder.write("", to: "file")
    let outcome = try await demo(line: "checkout --item mug --store file --log none")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: cannot keep the basket in file: "))
  }

  @Test(
    .enabled("root may write everywhere, and setpriv is missing") { Demo.canRunWithoutRights })
  func `is a store that this user may not write to`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let folder = demo.folder.path + "/kept"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    let outcome = try await demo(
      line: "checkout --item mug --store kept --log none", withoutRights: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: cannot keep the basket in kept: "))
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }
}
