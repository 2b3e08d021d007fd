import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite(.isolatedAmbients) struct `Wiring as a process` {
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
    let outcome = try await demo(line: "checkout --item mug --wiring locater")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("--wiring"))
    #expect(outcome.errors.contains("did you mean “locator”?"))
  }

  @Test(arguments: ["method", "cake", "minimal-cake", "mixin"])
  func `refuses a style that builds no shop`(style: String) async throws {
    let outcome = try await demo(line: "checkout --item mug --wiring \(style)")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("--wiring cannot be “\(style)”"))
  }

  @Test func `prints a table of what tells a missing part, and what a test replaces`() async throws
  {
    let outcome = try await demo("wiring")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
    for lesson in Lesson.all {
      #expect(lines.contains { $0.hasPrefix(lesson.name) && $0.hasSuffix(lesson.idea) })
      #expect(
        lines.contains {
          $0.hasPrefix(lesson.name) && $0.contains("  \(lesson.teller)")
            && $0.hasSuffix("  \(lesson.replaced)")
        })
    }
  }

  @Test(arguments: Lesson.all.map(\.name))
  func `shows a style, runs it, and shows its error`(name: String) async throws {
    let lesson = try #require(Lesson.all.first { $0.name == name })
    let outcome = try await demo("wiring", name)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.hasPrefix("\(name): \(lesson.idea)\n"))
    let (program, test) = try lesson.run()
    #expect(outcome.output.contains("\nThe program: \(program)\nA test:      \(test)\n"))
    switch lesson.mistake {
    case .told(_, _, let error): #expect(outcome.output.contains("compiler says:\n  \(error)\n"))
    case .found: #expect(outcome.output.contains("it throws:\n  "))
    }
  }

  @Test func `is a line of JSON if that is asked for, of all styles or of one`() async throws {
    struct Row: Decodable {
      let name: String
      let toldBy: String
      let testReplaces: String
    }
    let all = try await demo("wiring", "--json")
    let rows = try JSONDecoder().decode([Row].self, from: Data(all.output.utf8))
    #expect(rows.map(\.name) == Lesson.all.map(\.name))
    #expect(rows.map(\.toldBy) == Lesson.all.map(\.teller))
    #expect(rows.map(\.testReplaces) == Lesson.all.map(\.replaced))
    struct Shown: Decodable {
      let lesson: Row
      let code: String
      let program: String
      let error: String
    }
    for lesson in Lesson.all {
      let outcome = try await demo("wiring", lesson.name, "--json")
      let shown = try JSONDecoder().decode(Shown.self, from: Data(outcome.output.utf8))
      #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 1)
      #expect((shown.lesson.name, shown.code) == (lesson.name, lesson.code))
      #expect(shown.program == (try lesson.run().program))
      #expect(!shown.error.isEmpty)
    }
  }

  @Test func `names the nearest style, status 64`() async throws {
    let outcome = try await demo("wiring", "cakes")
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("did you mean “cake”?"))
    #expect(try await demo("wiring", "cake", "mixin").status == 64)
  }
}
