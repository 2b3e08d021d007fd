import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Processes that share a file` {
  let folder = TemporaryFolder()

  @Test func `rotate it once for each day, and lose no line`() async throws {
    let path = folder.path("shop.log")
    async let first: Void = append(to: path, "a")
    async let second: Void = append(to: path, "b")
    async let third: Void = append(to: path, "c")
    _ = await (first, second, third)
    let names = folder.names
    #expect(names == ["shop.log"] + (1...29).map { "shop.log.2026-11-\($0 < 10 ? "0" : "")\($0)" })
    let lines = try names.flatMap { try folder.text($0).split(separator: "\n") }
    #expect(lines.count == 3 * 30 * 20 && Set(lines).count == lines.count)
    // A line stands in its day's file, or, written while another rotated, in the next.
    for name in names.dropFirst() {
      let day = String(name.suffix(2))
      #expect(try folder.text(name).split(separator: "\n").contains { $0.hasPrefix(day) })
    }
  }

  /// Twenty lines each day, and all processes in the same month.
  private func append(to path: String, _ name: String) async {
    await #expect(processExitsWith: .success) { [path, name] in
      var file = try RotatingFile(path, .daily(zone: .utc), at: "2026-11-01T12:00:00Z")
      for day in 1...30 {
        let day = day < 10 ? "0\(day)" : "\(day)"
        for line in 0..<20 {
          try file.write("\(day) \(name) \(line)", at: "2026-11-\(day)T12:00:00Z")
        }
      }
    }
  }

  @Test func `rotate it by size without losing or overwriting`() async throws {
    let path = folder.path("shop.log")
    async let first: Void = fill(path, "a")
    async let second: Void = fill(path, "b")
    _ = await (first, second)
    let lines = try folder.names.flatMap { try folder.text($0).split(separator: "\n") }
    #expect(lines.count == 2 * 3_000 && Set(lines).count == lines.count)
    #expect(folder.names.count > 50)
  }

  private func fill(_ path: String, _ name: String) async {
    await #expect(processExitsWith: .success) { [path, name] in
      var file = try RotatingFile(path, .size(500))
      for line in 0..<3_000 { try file.write("\(name) \(line)") }
    }
  }

  @Test func `lose nothing if one ends while gzip works for it`() async throws {
    try folder.write(
      """
      touch '\(folder.path("begun"))'
      for try in $(seq 1500); do [ -e '\(folder.path("go"))' ] && exec gzip "$@"; sleep 0.02; done
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
