import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Debian's logrotate, as it comes, while two programs write.
@Suite(.enabled(if: Logrotate.isInstalled, "logrotate is not installed"))
struct `A log that logrotate rotates` {
  @Test func `loses and tears nothing, if the file is renamed and made again`() async throws {
    let folder = TemporaryFolder()
    let writers = try await Logrotate.run("create", times: 20, in: folder)
    try folder.expectEachOnce(of: writers)
    for name in try folder.logNames {
      let lines = try folder.text(name).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.last == "" && lines.dropLast().allSatisfy { $0.hasSuffix("writes it") })
    }
  }

  @Test func `loses only what stood in no copy when the file was truncated`() async throws {
    let folder = TemporaryFolder()
    let writers = try await Logrotate.run("copytruncate", times: 20, in: folder)
    var latest: [Substring: Int] = [:]
    var lost = 0
    for numbers in try folder.loggedNumbers() {
      var own: [Substring: Int] = [:]
      for text in numbers {
        let parts = text.split(separator: ".")
        let (thread, number) = (text.dropLast(parts[2].count), try #require(Int(parts[2])))
        // Nothing is missing within a file, and nothing is there twice.
        if let last = own[thread] { #expect(number == last + 1) }
        if own[thread] == nil {
          #expect(number > latest[thread, default: 0])
          lost += number - latest[thread, default: 0] - 1
        }
        own[thread] = number
      }
      latest.merge(own) { $1 }
    }
    for writer in writers {
      for thread in 0..<writer.threads {
        #expect(latest["\(writer.id).\(thread)."] == writer.progress.count[thread])
      }
    }
    let all = latest.values.reduce(0, +)
    #expect(lost < all / 2, "\(lost) of \(all)")
    // A copy may end within a line; the log itself never does, nor begins so.
    for name in try folder.logNames {
      let lines = try folder.text(name).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.dropLast().allSatisfy { $0.hasSuffix("writes it") })
      if name == "shop.log" { #expect(lines.last == "") }
    }
  }
}

private enum Logrotate {
  private static let path = "/usr/sbin/logrotate"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// Rotates so often while two programs write; both have ended when it returns.
  static func run(_ how: String, times: Int, in folder: TemporaryFolder) async throws -> [Writer] {
    try folder.write(
      "\"\(folder.path("shop.log"))\" {\n  rotate 1000\n  size 1\n  nocompress\n  \(how)\n}\n",
      to: "rotate.conf")
    let writers = try ["a", "b"].map {
      try Writer(
        $0, threads: 2, lines: 1_000_000, end: "exit", "until:\(folder.path("stop"))", in: folder)
    }
    for round in 1...times {
      #expect(
        await Patience.waitIdly {
          let size = try? FileManager.default.attributesOfItem(atPath: folder.path("shop.log"))[
            .size]
          return size as? Int ?? 0 > 0
        })
      let result = try await Command.run(
        path, "-s", folder.path("state"), folder.path("rotate.conf"))
      #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
      #expect(
        FileManager.default.fileExists(atPath: folder.path("shop.log.\(round)")))
    }
    try folder.write("", to: "stop")
    for writer in writers { #expect(await writer.wait() == 0) }
    return writers
  }
}
