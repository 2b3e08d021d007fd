import Checkout
import Foundation
import Testing

@Suite struct `The example shop` {
  @Test func `is the file in the repository`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/shop.json").standardized
    #expect(try String(contentsOf: file, encoding: .utf8) == Shop.exampleJSON)
    #expect(try Shop(contentsOf: file.path).name == Shop.example().name)
  }

  @Test func `is read back as it was written`() throws {
    let shop = try Shop.example()
    let again = try Shop(json: JSONEncoder().encode(shop), file: "again")
    #expect(again.name == shop.name)
    #expect(again.zone == shop.zone)
    #expect(again.catalogue == shop.catalogue)
    #expect(again.stock == shop.stock)
    #expect(again.promotions == shop.promotions)
    #expect(again.coupons == shop.coupons)
    #expect(again.tax == shop.tax)
    #expect(again.shipping == shop.shipping)
    #expect(again.delivery == shop.delivery)
    #expect(again.terms == shop.terms)
    #expect(again.withdrawalDays == shop.withdrawalDays)
    #expect(again.withdrawal == shop.withdrawal)
  }
}
