import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `The list of queues` {
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

  @Test func `says what waits where, since when, and why`() async throws {
    let server = try LoopbackServer(always: .answer(503, body: "\u{1B}[2Jbusy"))
    try await leaveEvents(for: "http://127.0.0.1:1/events", server.url)
    let outcome = try await demo("queue", "q")
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
    let wide = try await demo("queue", "q", environment: ["COLUMNS": "80"])
    #expect(wide.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // What was looked at is as it was.
    #expect(try await demo("queue", "q").output == outcome.output)
    let one = try await demo("queue", "q/\(folders()[0])").output.split(separator: "\n")
    try #require(one.count == 2)
    // Numbers end where their headings do.
    for heading in ["waiting", "bytes", "refused", "lost"] {
      let end = try #require(one[0].firstRange(of: heading)).upperBound
      let number = one[1].prefix(one[0].distance(from: one[0].startIndex, to: end)).last
      #expect(number?.isNumber == true, "\(heading)")
    }
  }

  @Test func `is a line of JSON with --json, as it was found`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/events")
    let outcome = try await demo(line: "queue q --json")
    #expect(outcome.status == 0)
    #expect(outcome.output.count { $0 == "\n" } == 1)
    struct Queue: Decodable {
      let folder: String
      let waiting: Int
      let bytes: Int
      let oldest: String
      let trouble: String
      let lost: [String: Int]
    }
    let queues = try JSONDecoder().decode([Queue].self, from: Data(outcome.output.utf8))
    #expect(try queues.map(\.folder) == folders())
    #expect(queues[0].waiting == 5)
    #expect(queues[0].bytes > 1_000)
    #expect(queues[0].oldest.hasPrefix("2026-11-27T12:34:56"))
    #expect(queues[0].trouble == "the connection was refused")
    #expect(queues[0].lost.isEmpty)
  }

  @Test func `takes counts that are none of ours`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/events")
    let counts = "9223372036854775807 a\n9223372036854775807 b\n9223372036854775807 a\n-1 c\nd\n"
    try counts.write(
      toFile: demo.folder.path("q/\(folders()[0])/lost"), atomically: true, encoding: .utf8)
    let outcome = try await demo("queue", "q")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("lost: a ("))
  }

  @Test func `tells queues apart whose addresses look alike`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/a?b=1", "http://127.0.0.1:1/a?b=2")
    let lines = try await demo("queue", "q").output.split(separator: "\n").dropFirst()
    let names = try folders()
    #expect(names.count == 2)
    #expect(
      lines.map { $0.prefix { $0 != ")" } }.sorted()
        == names.map { "http://127.0.0.1:1/a (\($0)" })
  }

  @Test func `lets refused events wait again, which the next run sends as they were`()
    async throws
  {
    let isMended = Guarded(false)
    // The first and the second half of five; the first alone is refused.
    let server = try LoopbackServer { _, request in
      .answer(
        !isMended.withLock { $0 } && request.lines.contains { $0.contains("\"purchase\"") }
          ? 400 : 200)
    }
    try await leaveEvents(for: server.url)
    let list = try await demo("queue", "q").output
    #expect(list.contains(#/ 0 +0 +1 +1  lost: status 400 \(1\)\n/#), "\(list)")
    let name = try folders()[0]
    isMended.withLock { $0 = true }
    let retry = try await demo("queue", "--retry-refused", "q")
    #expect(retry.status == 0 && retry.errors.isEmpty, "\(retry)")
    #expect(retry.output.hasPrefix("\(name): 1 refused event waits again\ndestination"))
    #expect(retry.output.contains(#/ 1 +\d+  2026-11-27 12:34 +0 +1  lost/#), "\(retry.output)")
    let refused = server.requests.flatMap(\.lines).last { $0.contains("\"purchase\"") }
    let again = try await demo("queue", "--retry-refused", "q")
    #expect(again.output.hasPrefix("destination"), "\(again.output)")
    try await leaveEvents(for: server.url)
    let last = try #require(server.requests.last)
    #expect(last.lines.first == refused && last.lines.count == 6)
    let queue = try EventQueue(folder: demo.folder.path("q/\(name)"))
    let busy = try await demo("queue", "--retry-refused", "q")
    #expect(busy.status == 0)
    #expect(busy.output.hasPrefix("\(name): refused events stay as they are: the queue “q/"))
    _ = queue.folder
  }

  @Test func `cuts what a server has said at length`() async throws {
    let server = try LoopbackServer(
      always: .answer(503, body: String(repeating: "busy ", count: 30)))
    try await leaveEvents(for: server.url)
    // Words of five cells, behind “status 503 (”.
    for (width, words) in [("60", 9), ("80", 13), ("200", 13), (nil, 13)] {
      let outcome = try await demo("queue", "q", environment: width.map { ["COLUMNS": $0] } ?? [:])
      #expect(outcome.output.matches(of: /busy/).count == words, "\(outcome.output)")
      #expect(outcome.output.hasSuffix("bu…\n"), "\(outcome.output)")
    }
  }

  @Test func `says who uses a queue`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/")
    let queue = try EventQueue(folder: demo.folder.path("q/\(folders()[0])"))
    let outcome = try await demo("queue", "q")
    #expect(outcome.status == 0)
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(
      outcome.output.contains(
        #/http://127\.0\.0\.1:1/ +\? +\? +\? +0  in use by process \d+; the connection was refused/#
      ),
      "\(outcome.output)")
    #expect(outcome.output.contains("process \(process);"))
    let second = try await demo(
      line: "checkout --item mug --log none --queue q --analytics http://127.0.0.1:1/")
    #expect(second.status == 1)
    #expect(second.output.isEmpty)
    #expect(
      second.errors == """
        ambient-demo: the queue “q/\(try folders()[0])/queue” is in use by process \(process); give \
        each its own folder, or close that first

        """)
    _ = queue.folder
  }

  @Test func `passes over what is damaged, and shows what is no queue`() async throws {
    try await leaveEvents(for: "http://127.0.0.1:1/")
    let file = try demo.folder.url.appending(path: "q/\(folders()[0])/queue")
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 65_536 + 40)
    try handle.write(contentsOf: Data("broken".utf8))
    try handle.close()
    try demo.folder.write("something else, and long enough to be looked at", to: "q/other/queue")
    try demo.folder.makeFolder("q/no-queue")
    let outcome = try await demo("queue", "q")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(#/ 4 +\d+  2026-11-27 12:34 +0 +1  .*damaged in the queue \(1\)\n/#),
      "\(outcome.output)")
    #expect(outcome.output.contains(#/\nother +\? +\? +\? +\?  “q/other/queue” cannot be used/#))
    #expect(!outcome.output.contains("no-queue"))
    #expect(outcome.errors.hasPrefix("Ambient: Journal q/"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("none", "cannot look into “none”: No such file or directory; give the folder that --queue"),
    ("file", "“file” is a file; give the folder that --queue named\n"),
    ("empty", "there is no queue in “empty”; give the folder that --queue named\n"),
    ("file/x", "cannot look into “file/x”: "),
  ])
  func `explains a folder without queues, status 1`(folder: String, text: String) async throws {
    try demo.folder.write("a file", to: "file")
    try demo.folder.makeFolder("empty/deeper")
    let outcome = try await demo("queue", folder)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("ambient-demo: \(text)"), "\(outcome.errors)")
  }

  #if os(Linux)
    @Test func `is of folders that can be made: what is none says what to do`() async throws {
      let outcome = try await demo(
        line: "checkout --item mug --log none --queue /proc/x --analytics http://127.0.0.1:1/")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains(
          #/cannot open the queue “/proc/x/[^”]*”: No such file or directory; choose another folder\n/#
        ), "\(outcome.errors)")
    }
  #endif

  @Test func `prints the statement that makes a table, without a folder`() async throws {
    for (text, version) in [("shop.events", nil), ("shop.events@18.16.1", "18.16.1")] {
      let outcome = try await demo("queue", "--create-table", text)
      let table = try ClickHouseTable("shop.events")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output == table.createStatement(version: version) + ";\n")
    }
    let wrong = try await demo("queue", "--create-table", "a.b.c")
    #expect(wrong.status == 64)
    #expect(
      wrong.errors.hasPrefix(
        "ambient-demo: --create-table: it is no table; name one, as shop.events\n"),
      "\(wrong.errors)")
    for text in ["shop.events@", "shop.events@new", "shop.events@v18.16", "shop.events@18@16"] {
      let outcome = try await demo("queue", "--create-table", text)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("give one as shop.events@18.16\n"), "\(outcome.errors)")
    }
  }

  @Test func `needs a folder, status 64`() async throws {
    let outcome = try await demo("queue")
    #expect(outcome.status == 64)
    #expect(outcome.errors == "ambient-demo: DIR is missing\nSee ambient-demo queue --help.\n")
  }
}
