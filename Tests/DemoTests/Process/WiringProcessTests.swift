// SPDX-License-Identifier: Apache-2.0

import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite(.isolatedAmbients) struct `Wiring command` {
  private let demo = Demo()

  private func receipt(_ words: String) async throws -> String {
    let outcome = try await demo(line: "checkout --at 2026-11-27T12:00:00Z --log none \(words)")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.replacing(/Order [-0-9A-F]{36} is/, with: "Order … is")
  }

  @Test(arguments: WiringStyle.allCases)
  func `in each wiring style, the checkout command prints the same receipt`(style: WiringStyle)
    async throws
  {
    let usual = try await receipt("")
    #expect(usual.contains("to pay"))
    #expect(try await receipt("--wiring \(style.rawValue)") == usual)
  }

  @Test(arguments: WiringStyle.allCases)
  func `in each wiring style, the checkout command buys and empties the stored basket`(
    style: WiringStyle
  ) async throws {
    try demo.folder.write(.storedBasket, to: "kept/basket.json")
    let line = "checkout --store kept --wiring \(style.rawValue) --json --log none"
    let receipt = try await demo(line: line).decoded(as: ReceiptFields.self)
    #expect(receipt.order.priced.lines.map(\.sku) == ["filters"])
    #expect(try await demo(line: line).status == 1)
  }

  @Test(arguments: [
    ("locater", "locator"), ("method", nil), ("cake", nil), ("minimal-cake", nil), ("mixin", nil),
  ])
  func `the --wiring option refuses a style that doesn't build a shop`(
    style: String, nearest: String?
  ) throws {
    let error = #expect(throws: UsageError.self) {
      try AmbientDemo.program.prepare("checkout --item mug --wiring \(style)")
    }
    #expect(error?.option == "--wiring" && error?.nearest == nearest)
  }

  @Test
  func `the wiring command prints a table of all styles`() async throws {
    let outcome = try await demo(line: "wiring")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
    for lesson in Lesson.all {
      #expect(lines.contains { $0.hasPrefix(lesson.name) && $0.hasSuffix(lesson.idea) })
      #expect(
        lines.contains {
          $0.hasPrefix(lesson.name) && $0.contains("  \(lesson.reporter)")
            && $0.hasSuffix("  \(lesson.replaced)")
        })
    }
  }

  @Test(arguments: Lesson.all.map(\.name))
  func `the wiring command prints a style's lesson, results and documented error`(name: String)
    async throws
  {
    let lesson = try #require(Lesson.all.first { $0.name == name })
    let outcome = try await demo(line: "wiring \(name)")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output == (try lesson.text(style: .plain)))
    let (program, test) = try lesson.run()
    #expect(outcome.output.contains("\nThe program: \(program)\nA test:      \(test)\n"))
    switch lesson.mistake {
    case .compilerError(_, _, let error):
      #expect(outcome.output.contains("compiler says:\n  \(error)\n"))
    case .runtimeError: #expect(outcome.output.contains("it throws:\n  "))
    }
  }

  @Test func `the wiring command suggests the nearest style or reports an extra argument`()
    async throws
  {
    #expect(try await demo(line: "wiring cakes").isUsageError(of: "wiring", about: "“cake”"))
    #expect(try await demo(line: "wiring cake mixin").isUsageError(of: "wiring", about: "“mixin”"))
  }
}
