// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Invalid demo input` {
  private let demo = Demo()

  @Test(arguments: [
    ("--item cofee", 1, "“coffee”"), ("--item mug --item xyz", 1, "ambient-demo products"),
    ("--item coffee:-1", 64, "“coffee:-1”"), ("--item coffee:0", 64, "“coffee:0”"),
    ("--item coffee:1000001", 64, "“coffee:1000001”"),
    ("--item coffee:1000000 --item coffee", 1, "“coffee”"),
    ("--item coffee:99999999999999999999", 64, "“coffee:99999999999999999999”"),
    ("--item coffee:-99999999999999999999", 64, "“coffee:-99999999999999999999”"),
    ("--item grinder:4", 1, "“grinder”"), ("--item coffee:two", 64, "“coffee:two”"),
    ("--item coffee:1.5", 64, "“coffee:1.5”"), ("--item coffee:", 64, "“coffee:”"),
    ("--item coffee:2:3", 64, "“coffee:2:3”"), ("--item :2", 64, "“:2”"),
    ("--item mug --coupon WELCOME11", 1, "“WELCOME10”"),
    ("--item mug --coupon SUMMER5", 1, "2026-08-31"), ("--item mug --item poster", 1, "EUR"),
    ("--item liqueur", 1, "“liqueur”"), ("--item liqueur --born 2010-01-01", 1, "“liqueur”"),
    ("--item liqueur --born 2026-11-28", 64, "--born: 2026-11-28"),
    ("--item \u{1B}[2J", 1, "“\\u001b[2J”"), ("--item mug --\u{1B}[2J", 64, "“--\\u001b[2J”"),
    ("--item liqueur --born 2026-02-30", 64, "--born: “2026-02-30”"),
    ("--item mug --shop none.json", 1, "none.json: "),
    ("--item mug --shop /dev/zero", 1, "/dev/zero: "),
    ("--item mug --log-level loud", 64, "--log-level: “loud”"),
    ("--item mug --log file:kept/basket.json/a", 1, "“kept/basket.json/a”"),
    ("--item mug --analytics file:kept/basket.json/a", 1, "“kept/basket.json/a”"),
    ("--item mug --at 2026-02-30T00:00:00Z", 64, "--at: “2026-02-30T00:00:00Z”"),
    ("--item mug --at 2026-11-27T24:30:00Z", 64, "--at: “2026-11-27T24:30:00Z”"),
    ("--item mug --at 2026-13-27", 64, "--at: “2026-13-27”"),
    ("--item mug --at tomorrow", 64, "--at: “tomorrow”"),
    ("--item mug --at 0001-01-01T00:00:00Z", 64, "America/New_York"),
    ("--item mug --at 0001-01-01T04:00:00Z", 64, "America/New_York"),
  ])
  func `invalid checkout input is reported and leaves the stored basket unchanged`(
    line: String, status: Int, value: String
  ) async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let outcome = try await demo(
      line: "checkout --store kept \(line)"
        + (line.contains("--at") ? "" : " --at 2026-11-27T12:00:00-05:00")
        + (line.contains("--log") ? "" : " --log none"))
    #expect(
      status == 64
        ? outcome.isUsageError(of: "checkout", about: value) : outcome.isFailure(about: value),
      "\(outcome)")
    let lines = try JSONDecoder().decode(
      StoredBasketFields.self, from: Data(demo.folder.text("kept/basket.json").utf8)
    ).lines
    #expect(lines.map(\.sku) == ["filters"] && lines.map(\.quantity) == [3])
  }

  /// The shell makes the bytes, because a Swift string cannot.
  @Test func `an argument that is not UTF-8 is a usage error and names no other file`() async throws
  {
    let program = try Products.program("ambient-demo").path
    let script = #"cd "$1" && exec "$0" checkout --item mug --store "$(printf 'st\377')""#
    let result = try await Command.run("/bin/sh", "-c", script, program, demo.folder.path)
    #expect(result.status == 64)
    #expect(result.output.contains("argument 5 "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path) == [])
  }

  @Test(arguments: [
    ("--coupon WELCOME10", "the basket is empty"), ("--item gold:2", "too large"),
  ])
  func `an invalid basket change is reported and stores no basket`(line: String, reason: String)
    async throws
  {
    try demo.folder.write(
      """
      {
        "name": "Gold", "zone": "UTC", "tax": { "included": true, "rates": [] },
        "products": [{ "sku": "gold", "name": "Gold", "price": "90000000000000000.00 EUR" }],
        "coupons": [{ "code": "WELCOME10", "percentOff": 10 }]
      }
      """, to: "shop.json")
    let outcome = try await demo(
      line: "basket --shop shop.json --log none --store kept \(line)")
    #expect(outcome.isFailure(about: reason), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path + "/kept/basket.json"))
  }

  @Test(arguments: [
    ("--item mug --amount 1.00", "--amount: "), ("--amount 1.00", "--amount: “1.00”"),
    ("--item mug --item coffee:two", "--item: “coffee:two”"), ("--item mug:0", "--item: “mug:0”"),
  ])
  func `an invalid refund option is reported and creates no folder`(options: String, value: String)
    async throws
  {
    let outcome = try await demo(line: "refund \(UUID()) --store kept \(options)")
    #expect(outcome.isUsageError(of: "refund", about: value))
    #expect(!FileManager.default.fileExists(atPath: demo.folder.path("kept")))
  }

  @Test(arguments: [
    (#""zone": "UTC","#, "", "zone: "), (#""zone": "UTC","#, #""zone": "Mars/Base","#, "zone: "),
    ("2026-12-01", "2026-11-26", "promotions[0].end: "),
    ("2026-12-01", "2026-11-31", "promotions[0].end: "),
    ("5.00 EUR", "5 Euro", "products[0].price: "), ("\"tax\"", "\"taxs\"", "taxs: "),
    ("}", "", ""), ("\"tea\": 9", "\"tea\": 0", nil),
  ])
  func `an error in a shop file is reported with the name of the wrong field`(
    right: String, wrong: String, field: String?
  )
    async throws
  {
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
    #expect(outcome.isFailure(about: field.map { "shop.json: \($0)" } ?? "“tea” is sold out"))
  }

  @Test func `a malformed basket file is reported and left unchanged`() async throws {
    try demo.folder.write("{}", to: "kept/basket.json")
    let outcome = try await demo(line: "checkout --item mug --store kept --log none")
    #expect(outcome.isFailure(about: "kept/basket.json: "))
    #expect(try demo.folder.text("kept/basket.json") == "{}")
  }

  @Test func `a basket store that isn't a folder is reported`() async throws {
    try demo.folder.write("", to: "file")
    let outcome = try await demo(line: "checkout --item mug --store file --log none")
    #expect(outcome.isFailure(about: "basket in file: "))
  }

  @Test(
    .enabled("root may write everywhere, and setpriv is missing") { Demo.canRunWithoutRights })
  func `a basket store without write permission is reported and left unchanged`() async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let folder = demo.folder.path + "/kept"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    let outcome = try await demo(
      line: "checkout --item mug --store kept --log none", withoutRights: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    #expect(outcome.isFailure(about: "basket in kept: "))
    #expect(try demo.folder.text("kept/basket.json") == .storedBasket)
  }
}
