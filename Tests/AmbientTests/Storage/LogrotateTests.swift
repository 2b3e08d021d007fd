// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Debian's logrotate, as it comes, while two programs write.
@Suite(
  .long, .withoutSanitizer, .serialized,
  .enabled(if: Logrotate.isInstalled, "logrotate is not installed"))
struct `Rotation by logrotate` {
  private let rotations = TestRun.rounds(4, all: 16, full: 40)

  @Test func `a log rotated by logrotate's create mode loses and tears no line`() async throws {
    let folder = TemporaryFolder()
    let writers = try await Logrotate.run("create", times: rotations, in: folder)
    try folder.expectEachOnce(of: writers)
    for name in try folder.logNames { #expect(try folder.hasWholeLines(name, atEnd: true)) }
  }

  @Test func `a log rotated by logrotate's copytruncate loses only lines written after the copy`()
    async throws
  {
    let folder = TemporaryFolder()
    let writers = try await Logrotate.run("copytruncate", times: rotations, in: folder)
    var latest: [String: Int] = [:]
    var lost = 0
    for numbers in try folder.loggedNumbers() {
      var own: [String: Int] = [:]
      for text in numbers {
        let parts = text.split(separator: ".")
        let (thread, number) = ("\(parts[0]).\(parts[1])", Int(parts[2]) ?? 0)
        if let last = own[thread] {
          // Nothing is missing within a file, and nothing is there twice.
          if number != last + 1 { Issue.record("\(text) follows \(last)") }
        } else {
          if number <= latest[thread, default: 0] { Issue.record("\(text) is there again") }
          lost += number - latest[thread, default: 0] - 1
        }
        own[thread] = number
      }
      latest.merge(own) { $1 }
    }
    for writer in writers {
      for thread in 0..<writer.threads {
        #expect(latest["\(writer.id).\(thread)"] == writer.progress.count[thread])
      }
    }
    let all = latest.values.reduce(0, +)
    // How many depends on how long the machine lets a copy wait for its truncation.
    #expect(lost < all, "\(lost) of \(all)")
    // A copy may end within a line; the log itself never does, nor begins so.
    for name in try folder.logNames {
      #expect(try folder.hasWholeLines(name, atEnd: name == "shop.log"))
    }
  }
}

extension TemporaryFolder {
  fileprivate func hasWholeLines(_ name: String, atEnd: Bool) throws -> Bool {
    let newline = UInt8(ascii: "\n")
    let data = try Data(contentsOf: url.appending(path: name))
    if atEnd, data.last != newline { return false }
    let lines = data.split(separator: newline)
    let whole = lines.count { $0.suffix(9).elementsEqual("writes it".utf8) && $0.first == 0x32 }
    return whole >= lines.count - (data.last == newline ? 0 : 1)
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
