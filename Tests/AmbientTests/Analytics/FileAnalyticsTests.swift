// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@Suite struct `File analytics` {
  private func lines(of path: String) throws -> [[String: Any]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `events that FileAnalytics can't write count as lost, also in MultiAnalytics`() throws {
    try Diagnostics.withInstance(.calling { _ in }) {
      let full = try FileAnalytics(path: "/dev/full")
      let all = MultiAnalytics(full, AnalyticsRecorder())
      all.track(Event("lost"))
      #expect(full.lostEvents == 1 && all.lostEvents == 1)
    }
  }

  @Test func `FileAnalytics creates its folder and writes each event as one JSON line`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("deep/er/events.jsonl")
    let recorder = AnalyticsRecorder()
    try Analytics.withInstance(MultiAnalytics([FileAnalytics(path: path), recorder])) {
      try Time.freeze(at: "2026-11-27T00:00:00.25-05:00") {
        Analytics.track(
          Event(
            "hostile \" \\ \n \u{1B} \u{0} \u{85} \u{2028} é 🛒",
            ["total": 1.5, "gift": true, "count": -3, "tags": ["a", "b"], "none": nil as Int?]))
      }
    }
    let line = try #require(lines(of: path).first)
    #expect(line["id"] as? String == recorder.trackedEvents[0].id.uuidString)
    #expect(line["time"] as? String == "2026-11-27T05:00:00.250Z")
    #expect(line["event"] as? String == "hostile \" \\ \n \u{1B} \u{0} \u{85} \u{2028} é 🛒")
    let properties = try #require(line["properties"] as? [String: Any])
    #expect(properties["total"] as? Double == 1.5)
    #expect(properties["gift"] as? Bool == true)
    #expect(properties["count"] as? Int == -3)
    #expect(properties["tags"] as? [String] == ["a", "b"])
    #expect(properties.keys.contains("none") == false)
  }

  @Test
  func `after the file is renamed, FileAnalytics reopen() creates a new file at the old path`()
    throws
  {
    let folder = TemporaryFolder()
    let path = folder.path("events.jsonl")
    let analytics = try FileAnalytics(path: path)
    analytics.track(Event("before"))
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("events.1"))
    analytics.reopen()
    analytics.track(Event("after"))
    analytics.flush()
    #expect(try lines(of: path).map { $0["event"] as? String } == ["after"])
    #expect(try lines(of: folder.path("events.1")).map { $0["event"] as? String } == ["before"])
  }

  @Test func `FileAnalytics recovery restores each event of a killed program exactly once`()
    async throws
  {
    let folder = TemporaryFolder()
    let path = folder.path("events.jsonl")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let analytics = try FileAnalytics(path: path)
      for number in 0..<200 { analytics.track(Event("event", ["n": number])) }
      kill(getpid(), SIGKILL)
    }
    let found = try FileAnalytics.recover(path: path)
    #expect(found > 0)
    #expect(try FileAnalytics.recover(path: path) == 0)
    #expect(
      try lines(of: path).compactMap { ($0["properties"] as? [String: Any])?["n"] as? Int }
        == Array(0..<200))
  }

  @Test func `if several tasks track events, FileAnalytics appends each event as a whole line`()
    async throws
  {
    let folder = TemporaryFolder()
    let path = folder.path("events.jsonl")
    for _ in 0..<2 {
      let analytics = try FileAnalytics(path: path)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for number in 0..<50 { analytics.track(Event("event", ["n": task * 50 + number])) }
          }
        }
      }
    }
    let numbers = try lines(of: path).compactMap {
      ($0["properties"] as? [String: Any])?["n"] as? Int
    }
    #expect(numbers.sorted() == (0..<200).flatMap { [$0, $0] })
  }

  @Test func `creating FileAnalytics with an unusable path throws a FileOpenError`() throws {
    let folder = TemporaryFolder()
    try "a file".write(toFile: folder.path("file"), atomically: true, encoding: .utf8)
    let error = #expect(throws: FileOpenError.self) {
      try FileAnalytics(path: folder.path("file/events.jsonl"))
    }
    #expect(error?.path == folder.path("file/events.jsonl"))
    #expect(error?.description.contains("Not a directory") == true)
  }

  @Test func `if events can't be written, FileAnalytics counts them and reports the failure once`()
    throws
  {
    let reports = Reports()
    let analytics = try FileAnalytics(path: "/dev/full")
    Diagnostics.withInstance(reports) {
      for _ in 0..<3 { analytics.track(Event("lost")) }
    }
    #expect(analytics.lostEvents == 3)
    #expect(reports.all.map(\.kind) == [.writeFailed])
    #expect(reports.all[0].source == "FileAnalytics /dev/full")
  }
}
