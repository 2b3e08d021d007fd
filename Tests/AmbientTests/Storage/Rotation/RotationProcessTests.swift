// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.long, .withoutSanitizer, .serialized) struct `Processes sharing a log file` {
  let folder = TemporaryFolder()

  @Test func `two processes that share an hourly log rotate it once an hour and lose no line`()
    async throws
  {
    let path = folder.path("shop.log")
    try folder.write("1", to: "clock")
    async let first: Void = follow(path, "a", "b")
    async let second: Void = follow(path, "b", "a")
    _ = await (first, second)
    let names = folder.names.filter { $0.hasPrefix("shop.log") }
    #expect(names == ["shop.log"] + (1...22).map { "shop.log.\(Self.hour($0))" })
    let lines = try names.flatMap { try folder.text($0).split(separator: "\n") }
    for name in ["a", "b"] {
      let own = lines.filter { $0.hasPrefix(name) }.compactMap { Int($0.dropFirst(2)) }
      let count = try #require(Int(try folder.text("done-\(name)")))
      #expect(own.sorted() == Array(0..<count))
    }
  }

  private static func hour(_ number: Int) -> String {
    "2026-11-26T\(number < 10 ? "0" : "")\(number)"
  }

  /// Appends twenty lines an hour, by a clock that is shared with the other.
  private func follow(_ path: String, _ name: String, _ other: String) async {
    await #expect(processExitsWith: .success) { [path, name, other] in
      let folder = URL(filePath: path).deletingLastPathComponent()
      let clock = folder.appending(path: "clock")
      var file = try RotatingFile(path, .hourly(zone: .utc), at: "2026-11-26T01:30:00Z")
      try Data().write(to: folder.appending(path: "ready-\(name)"))
      // The other may have to wait until this one has ended, where there are too few threads.
      _ = Patience.wait(.seconds(2)) {
        FileManager.default.fileExists(atPath: folder.appending(path: "ready-\(other)").path)
      }
      var count = 0
      while let hour = Int(try String(contentsOf: clock, encoding: .utf8)), hour <= 23 {
        for _ in 0..<20 {
          try file.write("\(name) \(count)", at: "\(Self.hour(hour)):30:00Z")
          count += 1
          SystemThread.sleep(.microseconds(100))
        }
        try "\(hour + 1)".write(to: clock, atomically: true, encoding: .utf8)
      }
      try "\(count)".write(
        to: folder.appending(path: "done-\(name)"), atomically: false, encoding: .utf8)
    }
  }

  @Test func `two processes that share a log rotate it by size and lose no line`() async throws {
    let path = folder.path("shop.log")
    async let first: Void = fill(path, "a")
    async let second: Void = fill(path, "b")
    _ = await (first, second)
    let lines = try folder.names.flatMap { try folder.text($0).split(separator: "\n") }
    #expect(lines.count == 2 * 3_000 && Set(lines).count == lines.count)
    #expect(folder.names.count > 5)
  }

  private func fill(_ path: String, _ name: String) async {
    await #expect(processExitsWith: .success) { [path, name] in
      var file = try RotatingFile(path, .size(500))
      for line in 0..<3_000 { try file.write("\(name) \(line)") }
    }
  }

  @Test func `if a process is killed while it compresses an archive, the archive loses no line`()
    async throws
  {
    try folder.write(
      """
      touch '\(folder.path("begun"))'
      for try in $(seq 30000); do [ -e '\(folder.path("go"))' ] && exec gzip "$@"; sleep 0.02; done
      """, to: "programs/gzip")
    let path: String = folder.path("shop.log")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let folder = URL(filePath: path).deletingLastPathComponent()
      var file = try RotatingFile(
        path, .size(2, isCompressed: true),
        compression: .init(
          rest: .zero, command: ["sh", folder.appending(path: "programs/gzip").path, "-f"]))
      try file.write("1")
      try file.write("2")
      let begun = folder.appending(path: "begun").path
      precondition(Patience.wait { FileManager.default.fileExists(atPath: begun) })
      kill(getpid(), SIGKILL)
    }
    // The child has the lock now: nothing moves under it.
    var file = try RotatingFile(path, .size(2))
    #expect(try file.write("3") == .postponed)
    try folder.write("", to: "go")
    #expect(await Patience.waitIdly { folder.names.contains("shop.log.1.gz") })
    let isRotated = try await Patience.waitIdly {
      if case .rotated? = try file.write("4") { true } else { false }
    }
    #expect(isRotated)
    #expect(try await folder.unzipped("shop.log.2.gz") == "1\n")
  }
}
