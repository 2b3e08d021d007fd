import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A file log that rotates` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func lines(_ name: String) throws -> [Substring] {
    try folder.text(name).split(separator: "\n").compactMap { $0.split(separator: " ").last }
  }

  @Test(arguments: [FileOptions.Survival.process, .eachLine])
  func `by size has whole lines in each file, and none in two`(
    _ survival: FileOptions.Survival
  ) throws {
    let log = try FileLog(
      path: path, level: .info, rotation: .size(4_000, keep: 100),
      file: FileOptions(survives: survival))
    for number in 0..<1_000 {
      log.info("a line of ours \(number)")
      if number % 150 == 0 { log.flush() }
    }
    log.flush()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("shop.log") }
    #expect(names.count > 10)
    for name in names { #expect(try folder.text(name).utf8.count <= 4_000) }
    let all = try names.flatMap(lines)
    #expect(all.count == 1_000 && Set(all).count == 1_000)
    #expect(log.lostRecords == 0)
  }

  @Test func `by size is within it when it ends, and when a dead one's lines are brought`() throws {
    for round in 0..<3 {
      let log = try FileLog(path: path, level: .info, rotation: .size(2_000, keep: 100))
      for number in 0..<100 { log.info("a line of ours \(round).\(number)") }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("shop.log") }
    for name in names { #expect(try folder.text(name).utf8.count <= 2_000) }
    #expect(try names.flatMap(lines).count == 300)
  }

  @Test func `by day goes by the time in force where it was made, not by its callers'`() throws {
    let time = MovingTime("2026-11-26T22:00:00Z")
    let log = try Time.withInstance(time) {
      try FileLog(path: path, level: .info, rotation: .daily(keep: 3, zone: .utc))
    }
    Time.freeze(at: .distantFuture) { log.info("one") }
    log.flush()
    time.move(to: "2026-11-27T00:00:01Z")
    log.info("two")
    log.flush()
    #expect(try lines("shop.log.2026-11-26") == ["one"])
    #expect(try lines("shop.log") == ["two"])
  }

  @Test func `writes on where it cannot rotate, and says so once until it can`() throws {
    try folder.makeFolder("shop.log.1/full")
    let reports = Reports()
    let log = try Diagnostics.withInstance(reports) {
      let log = try FileLog(path: path, level: .info, rotation: .size(200, keep: 2))
      for number in 0..<50 {
        log.info("\(number)")
        log.flush()
      }
      return log
    }
    #expect(try lines("shop.log").count == 50 && log.lostRecords == 0)
    #expect(reports.messages.count { $0.contains("shop.log.1") } == 1)
  }

  @Test(.quiet) func `says once that it cannot rotate, that it can, and again that it cannot`()
    async throws
  {
    try folder.makeFolder("shop.log.1/full")
    // Without a buffer, no thread of the log's own rotates and reports.
    let log = try FileLog(
      path: path, level: .info, rotation: .size(200, keep: 2),
      file: FileOptions(survives: .eachLine))
    for number in 0..<50 { log.info("\(number)") }
    #expect(Test.reports.map(\.kind) == [.rotation])
    try FileManager.default.removeItem(atPath: folder.path("shop.log.1"))
    // The log tries again when a second has passed.
    let isAble = await Patience.waitIdly {
      log.info("again")
      return Test.reports.count > 1
    }
    #expect(isAble)
    #expect(Test.reports.map(\.kind) == [.rotation, .recovered])
    #expect(Test.reports.last?.message == "rotates again.")
    try FileManager.default.removeItem(atPath: folder.path("shop.log.1"))
    try folder.makeFolder("shop.log.1/full")
    for number in 0..<50 { log.info("\(number)") }
    #expect(Test.reports.map(\.kind) == [.rotation, .recovered, .rotation])
  }

  @Test func `refuses a rotation that makes no sense`() throws {
    let error = #expect(throws: FileOpenError.self) {
      try FileLog(path: path, rotation: .size(-1))
    }
    #expect(try #require(error).description.contains("a size of -1 bytes"))
  }
}

/// A time that a test moves.
private final class MovingTime: Time, @unchecked Sendable {
  private let date: Guarded<Date>

  init(_ text: String) {
    date = Guarded((try? Date(iso8601: text)) ?? .distantPast)
    super.init()
  }

  override var now: Date { date.withLock { $0 } }

  func move(to text: String) {
    date.withLock { $0 = (try? Date(iso8601: text)) ?? .distantPast }
  }
}
