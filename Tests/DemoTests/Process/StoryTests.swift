import Checkout
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The story` {
  private let demo = Demo()

  @Test func `is the same every time, and is told in strict mode`() async throws {
    for words in [[], ["story"]] {
      let outcome = try await demo(words)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      // After an intended change: swift run ambient-demo > Tests/DemoTests/Fixtures/story.txt
      #expect(outcome.output == (try fixture("story")))
    }
  }

  @Test func `fits one screen of 80 by 24, with a line for the prompt`() throws {
    let lines = try fixture("story").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `shows what is logged and tracked at the frozen instant`() throws {
    let story = try fixture("story")
    #expect(story.contains("\n2026-11-27T05:00:00.000000Z info     order placed order="))
    #expect(story.contains(#""time":"2026-11-27T05:00:00.000Z","event":"purchase""#))
  }

  @Test func `is a line of JSON if that is asked for`() async throws {
    let outcome = try await demo("story", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    struct Told: Decodable {
      struct Tracked: Decodable { let event: String }
      let code: String
      let logged: [String]
      let tracked: Tracked
      let trackedInTest: [String]
    }
    let told = try JSONDecoder().decode(Told.self, from: Data(outcome.output.utf8))
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(try fixture("story").contains(told.code))
    #expect(told.logged.last?.contains("order placed order=") == true)
    #expect(told.tracked.event == "purchase")
    #expect(told.trackedInTest.last == "purchase")
  }

  @Test(arguments: 60...80)
  func `fills each line of the event as far as the width allows`(width: Int) async throws {
    let told = try await Story(shop: Shop.example()).tell()
    let text = told.text(style: Style(isColored: false, width: width))
    let end = try #require(text.components(separatedBy: ", in the end:\n").last)
    let lines = end.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    #expect(lines.count > 2)
    for (line, next) in zip(lines, lines.dropFirst()) {
      let part = next.firstIndex(of: ",").map { next[...$0] } ?? next
      #expect(line.count <= width && line.count + part.count > width, "\(line)")
    }
  }

  @Test func `fits the width`() async throws {
    let outcome = try await demo(["story"], environment: ["COLUMNS": "60"])
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
  }
}
