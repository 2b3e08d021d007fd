// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

#if os(Linux)
  import CHostile
#endif

@Suite struct `Rotating FileLogs` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func lines(_ name: String) throws -> [Substring] {
    try folder.text(name).split(separator: "\n").compactMap { $0.split(separator: " ").last }
  }

  @Test(arguments: [FileOptions.Survival.process, .eachLine])
  func `FileLog rotation by size writes each line whole to exactly one file`(
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

  @Test func `if FileLog rotates by size, its files stay within the limit even across restarts`()
    throws
  {
    for round in 0..<3 {
      let log = try FileLog(path: path, level: .info, rotation: .size(2_000, keep: 100))
      for number in 0..<100 { log.info("a line of ours \(round).\(number)") }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("shop.log") }
    for name in names { #expect(try folder.text(name).utf8.count <= 2_000) }
    #expect(try names.flatMap(lines).count == 300)
  }

  @Test func `daily FileLog rotation uses the log's Time instance and not that of the callers`()
    throws
  {
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

  @Test func `if FileLog can't rotate its file, it keeps writing and reports the failure once`()
    throws
  {
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

  @Test(.quiet)
  func `if FileLog rotation fails and later works again, each change is reported once`()
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
    try FileManager.default.removeItem(atPath: folder.path("shop.log.1"))
    try folder.makeFolder("shop.log.1/full")
    for number in 0..<50 { log.info("\(number)") }
    #expect(Test.reports.map(\.kind) == [.rotation, .recovered, .rotation])
  }

  @Test(arguments: [true, false])
  func `if no file descriptor is free, FileLog rotates later and keeps every line`(
    _ isOurs: Bool
  ) async throws {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.path("shop.log") as String, isOurs = isOurs as Bool] in
      precondition(ResourceLimit.openFiles.set(600))
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try FileLog(
        path: path, level: .info, rotation: isOurs ? .size(200, keep: 99) : nil,
        file: FileOptions(survives: .eachLine))
      log.info("0")
      var taken: [CInt] = []
      while case let number = open("/dev/null", O_RDONLY), number >= 0 { taken.append(number) }
      if !isOurs { precondition(rename(path, path + ".1") == 0) }
      log.reopen()
      for number in 1..<50 { log.info("\(number)") }
      let kinds = reports.all.map(\.kind)
      precondition(kinds.contains(isOurs ? .rotation : .writeFailed), "\(reports.all)")
      for number in taken { close(number) }
      var count = 50
      let rotates = Patience.wait {
        log.info("\(count)")
        count += 1
        return access(path, F_OK) == 0 && access(path + ".1", F_OK) == 0
      }
      precondition(rotates && log.lostRecords == 0)
    }
    let names = folder.names.sorted { $0.count == $1.count ? $0 > $1 : $0.count > $1.count }
    let lines = try names.flatMap { try folder.text($0).split(separator: "\n") }
    let numbers = lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers.count > 50 && numbers == Array(0..<numbers.count))
  }

  #if os(Linux)
    @Test(arguments: [EPERM, ENOSYS])
    func `FileLog rotation works even if a sandbox refuses the system call renameat2`(_ error: CInt)
      async throws
    {
      let folder = TemporaryFolder()
      await #expect(processExitsWith: .success) {
        [path = folder.path("shop.log") as String, error = error as CInt] in
        let isSet = hostile_fail_calls(hostile_renameat2, error) == 0
        precondition(isSet)
        let reports = Reports()
        Diagnostics.instance = reports
        let log = try FileLog(
          path: path, level: .info, rotation: .size(100, keep: 3),
          file: FileOptions(survives: .eachLine))
        for number in 0..<20 { log.info("\(number)") }
        precondition(reports.all.isEmpty && log.lostRecords == 0)
      }
      let names = ["shop.log", "shop.log.1", "shop.log.2", "shop.log.3"]
      #expect(folder.names == names)
      #expect(try folder.text("shop.log").hasSuffix(" 19\n"))
    }
  #endif

  @Test func `creating a FileLog with an invalid rotation throws a FileOpenError`() throws {
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
