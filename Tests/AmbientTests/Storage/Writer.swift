// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A program of this package that logs to `shop.log` in a folder.
struct Writer {
  let id: String
  let threads: Int
  let progress: SharedProgress
  private let process: ChildProgram

  init(
    _ id: String, threads: Int, lines: Int, end: String, _ words: String...,
    in folder: TemporaryFolder
  ) throws {
    self.id = id
    self.threads = threads
    let place = folder.path("progress-\(id)")
    progress = try SharedProgress(path: place, threads: threads)
    process = try ChildProgram(
      Products.program("LineWriter").path,
      [folder.path("shop.log"), place, id, "\(threads)", "\(lines)", end] + words,
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  func kill(_ signal: Int32 = SIGKILL) { process.send(signal) }

  /// Waits for its end; its status, or the signal that ended it.
  @discardableResult
  func wait() async -> Int32 { abs(await process.end()) }
}

extension TemporaryFolder {
  /// The log and what was put away of it, the oldest first.
  var logNames: [String] {
    get throws {
      func number(_ name: String) -> Int { Int(name.dropFirst("shop.log.".count)) ?? 0 }
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasPrefix("shop.log") }.sorted { number($0) > number($1) }
    }
  }

  /// Which line of which thread of which writer each whole line is, as `w.0.17`, by files.
  func loggedNumbers() throws -> [[String]] {
    // By bytes, since there may be many.
    let (end, space, newline) = (Array("writes it".utf8), UInt8(ascii: " "), UInt8(ascii: "\n"))
    return try logNames.map { name in
      try Data(contentsOf: url.appending(path: name)).split(separator: newline).compactMap { line in
        guard line.suffix(end.count).elementsEqual(end) else { return nil }
        let words = line.prefix(60).split(separator: space, maxSplits: 3)
        return words.count == 4 ? String(decoding: words[2], as: UTF8.self) : nil
      }
    }
  }

  /// Checks that each line whose call returned is there once, that none is there twice, and that
  /// none of each thread's is missing before its last.
  func expectEachOnce(of writers: [Writer]) throws {
    var found: [String: Int] = [:]
    for number in try loggedNumbers().joined() { found[number, default: 0] += 1 }
    #expect(found.values.allSatisfy { $0 == 1 }, "\(found.filter { $0.value > 1 }.prefix(3))")
    for writer in writers {
      for thread in 0..<writer.threads {
        let last = writer.progress.count[thread]
        let missing = (1...max(last, 1)).filter {
          last > 0 && found["\(writer.id).\(thread).\($0)"] == nil
        }
        #expect(missing.isEmpty, "\(writer.id).\(thread): \(missing.count) of \(last) are missing")
      }
    }
  }
}
