// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Queue command` {
  private let demo = Demo()

  /// Leaves five events of each address in the folder `q`, tracked at an instant.
  private func leaveEvents(for addresses: String...) async throws {
    let options = addresses.map { "--analytics \($0)" }.joined(separator: " ")
    let outcome = try await demo(
      line: "checkout --item mug --log none --at 2026-11-27T12:34:56Z --queue q \(options)")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private func folders() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: demo.folder.path("q")).sorted()
  }

  @Test func `the queue command lists waiting events with their age and the failure's reason`()
    async throws
  {
    let server = try LoopbackServer(always: .answer(503, body: "\u{1B}[2Jbusy"))
    try await leaveEvents(for: "http://127.0.0.1:1/events", server.url)
    let outcome = try await demo(line: "queue q")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n").map {
      $0.replacing(#/ +/#, with: " ").replacing(#/ 1\d\d\d /#, with: " BYTES ")
    }
    #expect(lines[0] == "destination waiting bytes oldest (UTC) refused lost why")
    #expect(
      lines[1...].sorted()
        == [
          "http://127.0.0.1:1/events 5 BYTES 2026-11-27 12:34 0 0 the connection was refused",
          "\(server.url) 5 BYTES 2026-11-27 12:34 0 0 status 503 (\\u001b[2Jbusy)",
        ].sorted())
    let wide = try await demo(line: "queue q", environment: ["COLUMNS": "80"])
    #expect(wide.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // The list has changed nothing.
    #expect(try await demo(line: "queue q").output == outcome.output)
    let one = try await demo(line: "queue q/\(folders()[0])").output.split(separator: "\n")
    try #require(one.count == 2)
    // Numbers end where their headings do.
    for heading in ["waiting", "bytes", "refused", "lost"] {
      let end = try #require(one[0].firstRange(of: heading)).upperBound
      let number = one[1].prefix(one[0].distance(from: one[0].startIndex, to: end)).last
      #expect(number?.isNumber == true, "\(heading)")
    }
  }

  @Test func `the queue command with --json lists the queues as JSON`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/events")
    let queues = try await demo.queues()
    #expect(try queues.map(\.folder) == folders())
    #expect(queues[0].destination?.hasSuffix("http://127.0.0.1:1/events") == true)
    #expect(queues[0].waiting == 5 && queues[0].refused == nil && queues[0].lost.isEmpty)
    #expect(try #require(queues[0].bytes) > 1_000)
    #expect(queues[0].oldest?.hasPrefix("2026-11-27T12:34:56") == true)
    #expect(queues[0].trouble == "the connection was refused")
  }

  @Test func `the queue command accepts a malformed file of lost event counts`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/events")
    let counts = "9223372036854775807 a\n9223372036854775807 b\n9223372036854775807 a\n-1 c\nd\n"
    try counts.write(
      toFile: demo.folder.path("q/\(folders()[0])/lost"), atomically: true, encoding: .utf8)
    let outcome = try await demo(line: "queue q")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("lost: a ("))
  }

  @Test func `the queue command adds folder names if two destinations' addresses look alike`()
    async throws
  {
    try await leaveEvents(for: "http://127.0.0.1:1/a?b=1", "http://127.0.0.1:1/a?b=2")
    let lines = try await demo(line: "queue q").output.split(separator: "\n").dropFirst()
    let names = try folders()
    #expect(names.count == 2)
    #expect(
      lines.map { $0.prefix { $0 != ")" } }.sorted()
        == names.map { "http://127.0.0.1:1/a (\($0)" })
  }

  @Test func `the queue command with --retry-refused moves refused events back unchanged`()
    async throws
  {
    let accepts = Guarded(false)
    // The first and the second half of five; the first alone is refused.
    let server = try LoopbackServer { _, request in
      .answer(
        !accepts.withLock { $0 } && request.lines.contains { $0.contains("\"purchase\"") }
          ? 400 : 200)
    }
    try await leaveEvents(for: server.url)
    let before = try #require(try await demo.queues().first)
    #expect(before.waiting == 0 && before.refused == 1 && before.lost == ["status 400": 1])
    let name = before.folder
    accepts.withLock { $0 = true }
    let retry = try await demo(line: "queue --retry-refused q")
    #expect(retry.status == 0 && retry.errors.isEmpty, "\(retry)")
    #expect(retry.output.hasPrefix("\(name): moved 1 "))
    let after = try #require(try await demo.queues().first)
    #expect(after.waiting == 1 && after.refused == 0 && after.lost == ["status 400": 1])
    let refused = server.requests.flatMap(\.lines).last { $0.contains("\"purchase\"") }
    let again = try await demo(line: "queue --retry-refused q")
    #expect(again.output.hasPrefix("destination"), "\(again.output)")
    try await leaveEvents(for: server.url)
    let last = try #require(server.requests.last)
    #expect(last.lines.first == refused && last.lines.count == 6)
    let queue = try EventQueue(folder: demo.folder.path("q/\(name)"))
    let busy = try await demo(line: "queue --retry-refused q")
    #expect(busy.status == 0)
    #expect(busy.output.hasPrefix("\(name): refused events not moved: the queue “q/"))
    _ = queue.folder
  }

  @Test func `the queue command shortens a server's long error message`() async throws {
    let server = try LoopbackServer(
      always: .answer(503, body: String(repeating: "busy ", count: 30)))
    try await leaveEvents(for: server.url)
    // Words of five cells, behind “status 503 (”.
    for (width, words) in [("60", 9), ("80", 13), ("200", 13), (nil, 13)] {
      let outcome = try await demo(
        line: "queue q", environment: width.map { ["COLUMNS": $0] } ?? [:])
      #expect(outcome.output.matches(of: /busy/).count == words, "\(outcome.output)")
      #expect(outcome.output.hasSuffix("bu…\n"), "\(outcome.output)")
    }
  }

  @Test func `the queue command names the process that uses a queue`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/")
    let queue = try EventQueue(folder: demo.folder.path("q/\(folders()[0])"))
    let process = ProcessInfo.processInfo.processIdentifier
    let listed = try #require(try await demo.queues().first)
    #expect(listed.waiting == nil && listed.bytes == nil && listed.oldest == nil)
    #expect(listed.process == process && listed.trouble == "the connection was refused")
    #expect(try await demo(line: "queue q").output.contains("process \(process);"))
    let second = try await demo(
      line: "checkout --item mug --log none --queue q --analytics http://127.0.0.1:1/")
    #expect(second.isFailure(about: "“q/\(listed.folder)/queue”"))
    #expect(second.isFailure(about: "process \(process);"))
    _ = queue.folder
  }

  @Test func `the queue command skips damaged records and reports files that aren't queues`()
    async throws
  {
    try await leaveEvents(for: "http://127.0.0.1:1/")
    let file = try demo.folder.url.appending(path: "q/\(folders()[0])/queue")
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 65_536 + 40)
    try handle.write(contentsOf: Data("broken".utf8))
    try handle.close()
    try demo.folder.write("something else, and long enough to be read", to: "q/other/queue")
    try demo.folder.makeFolder("q/no-queue")
    let outcome = try await demo(line: "queue q --json")
    #expect(outcome.errors.hasPrefix("Ambient: Journal q/"), "\(outcome.errors)")
    let queues = try outcome.decoded(as: [QueueFields].self)
    #expect(queues.map(\.waiting) == [4, nil])
    #expect(queues[0].lost.values.map(\.self) == [1])
    #expect(queues[1].folder == "other" && queues[1].error?.contains("“q/other/queue”") == true)
    let listed = try await demo(line: "queue q").output
    #expect(listed.contains(#/\nother +\? +\? +\? +\?  .*“q/other/#), "\(listed)")
  }

  @Test(arguments: ["none", "file", "empty", "file/x"])
  func `the queue command reports a folder without queues`(folder: String) async throws {
    try demo.folder.write("a file", to: "file")
    try demo.folder.makeFolder("empty/deeper")
    let outcome = try await demo(line: "queue \(folder)")
    #expect(outcome.isFailure(about: "“\(folder)”") && outcome.isFailure(about: "--queue"))
  }

  #if os(Linux)
    @Test func `the checkout command reports a --queue folder that can't be created`() async throws
    {
      let outcome = try await demo(
        line: "checkout --item mug --log none --queue /proc/x --analytics http://127.0.0.1:1/")
      #expect(outcome.isFailure(about: "“/proc/x/"), "\(outcome)")
    }
  #endif
}

@Suite struct `Create-table command` {
  private let demo = Demo()

  @Test(arguments: [("shop.events", nil), ("shop.events@18.16.1", "18.16.1")])
  func `the create-table command prints the statement for the table and server version`(
    text: String, version: String?
  )
    async throws
  {
    let outcome = try await demo(line: "create-table \(text)")
    let table = try ClickHouseTable("shop.events")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output == table.createStatement(version: version) + ";\n")
  }

  @Test(arguments: [
    ("a.b.c", "“a.b.c”"), ("shop.events@", "“”"), ("shop.events@new", "“new”"),
    ("shop.events@v18.16", "“v18.16”"), ("shop.events@18@16", "“18@16”"),
  ])
  func `the create-table command refuses an invalid table or server version`(
    text: String, value: String
  )
    async throws
  {
    let outcome = try await demo(line: "create-table \(text)")
    #expect(outcome.isUsageError(of: "create-table", about: value))
  }
}
