import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The story of time` {
  private let demo = Demo()

  @Test func `is the same every time, and is told in strict mode`() async throws {
    try demo.folder.makeFolder(".build")
    let outcome = try await demo("time")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    // After an intended change: swift run ambient-demo time > Tests/DemoTests/Fixtures/time.txt
    #expect(outcome.output == (try fixture("time")))
  }

  @Test func `is a line of JSON if that is asked for`() async throws {
    let outcome = try await demo("time", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    struct Told: Decodable {
      struct Chapter: Decodable {
        let heading: String
        let rows: [[String: String]]
        let end: String?
      }
      let chapters: [Chapter]
    }
    let told = try JSONDecoder().decode(Told.self, from: Data(outcome.output.utf8))
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(told.chapters.map(\.rows.count) == [6, 6, 4])
    #expect(told.chapters.map { $0.end == nil } == [true, true, false])
    let text = try fixture("time")
    for chapter in told.chapters {
      #expect(text.contains(chapter.heading))
      // A long cell is wrapped there.
      for word in chapter.rows.flatMap(\.values).flatMap({ $0.split(separator: " ") }) {
        #expect(text.contains(word))
      }
    }
  }

  @Test(arguments: [60, 80])
  func `fits the width`(width: Int) async throws {
    let outcome = try await demo(["time"], environment: ["COLUMNS": "\(width)"])
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  @Test func `leaves its log and events, at frozen times, where it says`() async throws {
    let outcome = try await demo("time", "--output", "a/b")
    #expect(outcome.status == 0)
    let log = try demo.folder.text("a/b/ambient-demo.log").split(separator: "\n")
    let events = try demo.folder.text("a/b/ambient-demo-events.jsonl").split(separator: "\n")
    #expect(outcome.output.contains("to a/b:\n  ambient-demo.log           \(log.count) lines"))
    #expect(outcome.output.contains("  ambient-demo-events.jsonl  \(events.count) events"))
    #expect(log.contains { $0.hasPrefix("2026-12-01T05:05:00.000000Z warning  order not placed") })
    #expect(log.allSatisfy { $0.hasPrefix("2026-11-") || $0.hasPrefix("2026-12-01T0") })
    #expect(events.contains { $0.contains("\"event\":\"purchase\"") })
  }

  @Test func `writes its files anew`() async throws {
    _ = try await demo("time", "--output", ".")
    let first = try demo.folder.text("ambient-demo.log")
    _ = try await demo("time", "--output", ".")
    let lines = first.split(separator: "\n").count
    #expect(try demo.folder.text("ambient-demo.log").split(separator: "\n").count == lines)
  }

  @Test func `drops what a killed run has left of its events`() async throws {
    _ = try await demo("time", "--output", ".")
    let first = try demo.folder.text("ambient-demo-events.jsonl").split(separator: "\n").count
    let killed = try await demo(
      line: "checkout --item mug --log none --crash-after order "
        + "--analytics file:ambient-demo-events.jsonl")
    #expect(killed.status != 0)
    _ = try await demo("time", "--output", ".")
    let events = try demo.folder.text("ambient-demo-events.jsonl").split(separator: "\n")
    #expect(events.count == first)
  }

  @Test func `leaves nothing behind where nobody asked for its files`() async throws {
    let temporary = TemporaryFolder()
    let outcome = try await demo(["time"], environment: ["TMPDIR": temporary.path])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Keep them with --output DIR."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path).isEmpty)
  }

  @Test func `says which folder it cannot write to, status 1`() async throws {
    try demo.folder.write("a file", to: "taken")
    let outcome = try await demo("time", "--output", "taken")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: cannot write the story's files to taken: "))
  }
}
