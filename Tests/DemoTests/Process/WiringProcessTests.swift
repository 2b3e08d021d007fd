import Checkout
import CheckoutWiring
import Foundation
import TestSupport
import Testing

@Suite struct `Wiring as a process` {
  private let demo = Demo()

  private func receipt(_ words: String) async throws -> String {
    let outcome = try await demo(
      line: "checkout --item coffee:2 --item mug --coupon WELCOME10 --at 2026-11-27T12:00:00Z "
        + "--log none \(words)")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.replacing(/Order [-0-9A-F]{36} is/, with: "Order … is")
  }

  @Test(arguments: WiringStyle.allCases)
  func `changes no result of a checkout`(style: WiringStyle) async throws {
    let usual = try await receipt("")
    #expect(usual.contains("to pay"))
    #expect(try await receipt("--wiring \(style.rawValue)") == usual)
  }

  @Test(arguments: WiringStyle.allCases)
  func `keeps the basket in the same store`(style: WiringStyle) async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let line = "checkout --store kept --wiring \(style.rawValue) --json --log none"
    let outcome = try await demo(line: line)
    let receipt = try JSONDecoder().decode(ReceiptFields.self, from: Data(outcome.output.utf8))
    #expect(receipt.order.priced.lines.map(\.sku) == ["filters"])
    #expect(try await demo(line: line).status == 1)
  }

  @Test func `in an unknown style names the nearest`() async throws {
    let outcome = try await demo(line: "checkout --item mug --wiring minimalcake")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("--wiring"))
    #expect(outcome.errors.contains("did you mean “minimal-cake”?"))
  }

  @Test func `prints a row for each style, in which the same visit has the same result`()
    async throws
  {
    let outcome = try await demo("wiring")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let rows = lines.dropFirst().prefix(WiringStyle.allCases.count).map {
      $0.split(separator: " ", omittingEmptySubsequences: true)
    }
    #expect(rows.map { String($0[0]) } == WiringStyle.allCases.map(\.rawValue))
    for row in rows {
      #expect(try #require(Int(row[1])) > 0)
      #expect(try #require(Int(row[2])) > 0)
    }
    let result = "In each style the same visit cost 604.26 USD, and made a silver customer."
    #expect(lines.contains(Substring(result)))
  }
}
