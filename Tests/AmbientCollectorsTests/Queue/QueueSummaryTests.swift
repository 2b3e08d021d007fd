// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Queue summaries` {
  private let folder = TemporaryFolder()

  private func summary() throws -> QueueSummary { try QueueSummary(folder: folder.path("queue")) }

  /// Tracks events, then sends them and ends, with a server that answers as the script says.
  private func run(_ events: Range<Int>, _ steps: ScriptedTransport.Step...) async throws {
    let transport = ScriptedTransport { number, _ in
      number < steps.count ? steps[number] : steps[steps.count - 1]
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(events)
    await analytics.finish()
  }

  /// Loses the second of two events.
  private func lose(_ events: Range<Int>, _ status: Int) async throws {
    try await run(events, .answer(status), .answer(200), .answer(status))
  }

  @Test func `a QueueSummary contains the destination, the waiting events and the current failure`()
    async throws
  {
    try await Time.freeze(at: "2026-11-27T05:00:00Z") {
      try await run(0..<3, .failure(.unsent, "the connection was refused"))
    }
    let summary = try summary()
    #expect(summary.destination == "HTTPAnalytics http://events.example/")
    #expect(summary.waiting?.count == 3)
    #expect((summary.waiting?.bytes ?? 0) > 300)
    #expect(summary.waiting?.oldest == (try Date(iso8601: "2026-11-27T05:00:00Z")))
    #expect(summary.trouble?.reason == "the connection was refused")
    #expect(summary.lost.isEmpty)
    #expect(try self.summary() == summary)
    try await run(3..<4, .answer(200))
    #expect(try self.summary().waiting?.count == 0)
    #expect(try self.summary().waiting?.oldest == nil)
    #expect(try self.summary().trouble == nil)
  }

  @Test func `a QueueSummary contains the sizes and times of waiting and refused events`()
    async throws
  {
    let transport = ScriptedTransport { number, _ in
      number < 3 ? .answer(number == 1 ? 200 : 400) : .failure(.unsent, "no route")
    }
    for (hour, events) in [("05", 0..<2), ("06", 2..<4)] {
      try await Time.freeze(at: "2026-11-27T\(hour):00:00Z") {
        let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
        analytics.track(events)
        await analytics.finish()
      }
    }
    let requests = transport.exchanges.map(\.lines)
    try #require(requests.map { numbers($0) } == [[0, 1], [0], [1], [2, 3]])
    func bytes(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count } }
    let summary = try summary()
    #expect(summary.waiting?.count == 2)
    #expect(summary.waiting?.bytes == bytes(requests[3]))
    #expect(summary.waiting?.oldest == (try Date(iso8601: "2026-11-27T06:00:00Z")))
    #expect(summary.refused?.count == 1)
    #expect(summary.refused?.bytes == bytes(requests[2]))
    #expect(summary.refused?.oldest == (try Date(iso8601: "2026-11-27T05:00:00Z")))
    #expect(summary.process == nil)
    #expect(summary.trouble?.reason == "no route")
    #expect(summary.trouble?.since == (try Date(iso8601: "2026-11-27T06:00:00Z")))
    #expect(summary.trouble?.attempts == 0)
    #expect(summary.lost == ["status 400": 1])
  }

  @Test func `only the owner can read a queue's files, and no temporary files are left`()
    async throws
  {
    let files = FileManager.default
    for reason in ["no network", "no route"] {
      try await run(0..<1, .failure(.unsent, reason))
      #expect(try summary().trouble?.reason == reason)
      let names = try files.contentsOfDirectory(atPath: folder.path("queue")).sorted()
      #expect(names == ["client-id", "destination", "queue", "trouble"])
      for name in names {
        let attributes = try files.attributesOfItem(atPath: folder.path("queue/\(name)"))
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
      }
    }
  }

  @Test(
    arguments: ["client-id", "destination", "trouble", "lost", "accepted"], Obstacle.allCases)
  func `a queue file is never written through a symbolic or hard link or a pipe`(
    _ name: String, _ obstacle: Obstacle
  ) async throws {
    try folder.makeFolder("queue")
    let path = folder.path("queue/\(name)")
    try obstacle.place(at: path, in: folder)
    if name == "client-id", obstacle == .folder {
      let error = #expect(throws: CollectorError.self) {
        try EventQueue(folder: folder.path("queue"), .small)
      }
      #expect(error?.code == .queueUnusable)
    } else {
      try await run(0..<2, .answer(400), .answer(400), .answer(200), .answer(400))
      try await run(1..<2, .failure(.unsent, "no route"))
      if obstacle != .folder {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.referenceCount] as? Int == 1)
      }
    }
    try obstacle.expectVictimUntouched(in: folder)
  }

  @Test func `a QueueSummary counts each loss of several program starts once`()
    async throws
  {
    for start in [0, 2] { try await lose(start..<(start + 2), 400) }
    #expect(try summary().lost == ["status 400": 2])
    let refusing = ScriptedTransport([.answer(422), .answer(422), .answer(200), .answer(422)])
    let analytics = try HTTPAnalytics(refusing, folder, upload: .atFlush)
    analytics.track(0..<2)
    await analytics.finish()
    await analytics.finish()
    #expect(try summary().lost == ["status 400": 2, "status 422": 1])
  }

  @Test func `a QueueSummary lists at most 64 reasons for losses and merges all further reasons`()
    async throws
  {
    let analytics = try HTTPAnalytics(ScriptedTransport([]), folder)
    await analytics.finish()
    let lines = (0..<70).map { "2 reason \($0)\n" } + ["0 nothing\n", "-1 less\n", "words\n"]
    try folder.write(lines.joined(), to: "queue/lost")
    let lost = try summary().lost
    #expect(lost.count == 65 && lost["other reasons"] == 12)
    #expect((0..<64).allSatisfy { lost["reason \($0)"] == 2 })
    // And so does who adds to it.
    try await lose(0..<2, 400)
    let sum = try summary().lost
    #expect(sum.values.reduce(0, +) == 141 && sum["nothing"] == nil && sum["less"] == nil)
  }

  @Test func `the QueueSummary of a queue in use names the process that uses the queue`()
    async throws
  {
    try await lose(0..<2, 400)
    let analytics = try HTTPAnalytics(ScriptedTransport([]), folder)
    let summary = try summary()
    #expect(summary.waiting == nil && summary.refused == nil)
    #expect(summary.process == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(summary.destination == "HTTPAnalytics http://events.example/")
    #expect(summary.lost == ["status 400": 1])
    await analytics.finish()
    #expect(try self.summary().waiting?.count == 0)
    #expect(try self.summary().refused?.count == 1)
  }

  @Test func `creating a QueueSummary of a missing queue throws and creates no file`() throws {
    let path = folder.path("queue/queue")
    #expect(throws: CollectorError.queue(.missing(path: path))) { try summary() }
    #expect(!FileManager.default.fileExists(atPath: folder.path("queue")))
    try folder.makeFolder("queue")
    #expect(throws: CollectorError.queue(.missing(path: path))) { try summary() }
    try folder.write("", to: "queue/queue")
    #expect(throws: CollectorError.queue(.missing(path: path))) { try summary() }
    #expect(try folder.text("queue/queue") == "")
    var options = Journal.Options()
    options.capacity = 65_536
    try Journal(folder: folder.path("queue"), options).close()
    #expect(try summary().waiting?.count == 0)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == 2 * 65_536)
  }

  @Test func `after a shutdown with a hanging server, the QueueSummary says why delivery failed`()
    async throws
  {
    let analytics = try HTTPAnalytics(ScriptedTransport { _, _ in .hang }, folder)
    analytics.track(0..<3)
    Analytics.withInstance(analytics) {}
    await analytics.shutdown(deadline: .now + .milliseconds(400))
    #expect(analytics.status.trouble?.reason.hasPrefix("no ") == true)
    #expect(try summary().trouble?.reason == analytics.status.trouble?.reason)
  }

  private func written(_ lost: String) throws -> [String: Int] {
    try folder.write(lost, to: "queue/lost")
    return try summary().lost
  }

  @Test
  func `loss counts in a queue's file are capped, and equal reasons are added up on one line`()
    async throws
  {
    try await run(0..<1, .answer(200))
    let most = 1 << 50
    #expect(try written("\(Int.max) a\n\(Int.max) a\n1 b\n0 c\n") == ["a": most, "b": 1])
    #expect(try written("\(most) a\n1 a\n") == ["a": most])
    #expect(try written("\(most - 2) a\n1 a\n") == ["a": most - 1])
    #expect(try written("2\n3 \n x\n4 two words\r\n") == ["two words": 4])
    let both = ["status 400": most, "a reason": 7]
    #expect(try written("\(Int.max) status 400\n7 a reason\n") == both)
    try await lose(0..<2, 400)
    #expect(try folder.text("queue/lost") == "7 a reason\n\(most) status 400\n")
  }

  @Test func `a queue's file of lost events is ignored if the file is larger than 1 MiB`()
    async throws
  {
    try await run(0..<1, .answer(200))
    let reason = String(repeating: "x", count: (1 << 20) - 3)
    #expect(try written("1 \(reason)\n") == [reason: 1])
    #expect(try written("1 \(reason)x\n") == [:])
  }

  @Test(
    arguments: [
      ("2026-11-27T05:00:00Z\nno route\n", "no route"), ("2026-11-27T05:00:00Z\na\nb\n\n", "a\nb"),
      ("2026-11-27T05:00:00Z\n", nil), ("2026-11-27T05:00:00Z", nil), ("no route\n", nil),
      ("yesterday\nno route\n", nil), ("", nil),
    ] as [(String, String?)])
  func `a failure's reason is read from a queue's trouble file only if the file is complete`(
    text: String, reason: String?
  ) async throws {
    try await run(0..<1, .answer(200))
    try folder.write(text, to: "queue/trouble")
    let trouble = try summary().trouble
    #expect(trouble?.reason == reason)
    #expect(trouble?.since == reason.map { _ in Date(timeIntervalSince1970: 1_795_755_600) })
  }

  @Test(arguments: [("", nil), ("\n\n", nil), ("\nfirst\nsecond\n", "first"), ("one", "one")])
  func `a queue's destination is the first nonempty line of the destination file`(
    text: String, name: String?
  ) async throws {
    try await run(0..<1, .answer(200))
    try folder.write(text, to: "queue/destination")
    #expect(try summary().destination == name)
  }
}
