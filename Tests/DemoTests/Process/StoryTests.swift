// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@testable import ambient_demo

@Suite struct `Story command` {
  private let demo = Demo()

  private func tell() async throws -> Story.Outcome {
    let recorder = AnalyticsRecorder()
    Log.instance = NoLog()
    Analytics.instance = recorder
    return try await Story(shop: Shop.example(), analytics: recorder).tell()
  }

  @Test func `the story command is the default, and its output matches its golden file`()
    async throws
  {
    for line in ["", "story"] {
      let outcome = try await demo(line: line)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      // After an intended change: swift run ambient-demo > Tests/DemoTests/Fixtures/story.txt
      #expect(outcome.output == (try fixture("story")))
    }
  }

  @Test func `the story command's output fits a terminal of 80 by 24 cells`() throws {
    let lines = try fixture("story").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test(.isolatedAmbients)
  func `a purchase in the story command's example test reaches only the test's recorder`()
    async throws
  {
    let outcome = try await tell()
    #expect(
      outcome.tracked == [
        "view_item", "add_to_cart", "begin_checkout", "add_payment_info", "purchase",
      ])
    #expect(
      outcome.trackedInTest.contains(#""time":"2026-11-27T05:00:00.000Z","event":"purchase""#))
    #expect(outcome.logged.count == 5)
    #expect(outcome.logged.allSatisfy { $0.hasPrefix("2026-11-27T05:00:00.000000Z info ") })
  }

  /// The lines that the story shows, with the real trait.
  @Test(.frozen(at: "2026-11-27T00:00:00-05:00"))
  func `the story command's example code, run as a test, gives the printed total`()
    async throws
  {
    let recorder = AnalyticsRecorder()
    Log.instance = NoLog()
    Analytics.instance = recorder
    let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
    let request = CheckoutRequest(
      [try BasketLine("mug")], payment: PaymentMethod(.invoice, token: "t"))
    let order = try await desk.checkout(request)
    #expect(try fixture("story").contains("total=\"\(order.total)\""))
    #expect(recorder.trackedEvents.last?.date == Time.now)
  }

  @Test(.isolatedAmbients, arguments: 60...80)
  func `the story command breaks an event's JSON into lines as long as the width allows`(
    width: Int
  ) async throws {
    let text = try await tell().text(style: Style(isColored: false, width: width))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= width })
    let event = lines.drop { !$0.hasPrefix("{") }.prefix { !$0.isEmpty }
    #expect(event.count > 2)
    for (line, next) in zip(event, event.dropFirst()) {
      let part = next.firstIndex(of: ",").map { next[...$0] } ?? next
      #expect(line.count + part.count > width, "\(line)")
    }
  }
}
