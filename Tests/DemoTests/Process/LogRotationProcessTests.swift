// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Log rotation` {
  private let demo = Demo()

  /// The log's file and its archives.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: demo.folder.path)
      .filter { $0.hasPrefix("shop.log") }.sorted()
  }

  private func buy(at instants: [String], _ rotation: String) async throws {
    for instant in instants {
      let outcome = try await demo(
        line: "checkout --item mug --log file:shop.log --log-rotate \(rotation) --at \(instant)",
        environment: ["TZ": "UTC"])
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test func `daily log rotation follows the frozen time`() async throws {
    try await buy(
      at: [
        "2026-11-25T12:00:00Z", "2026-11-26T12:00:00Z", "2026-11-26T23:59:59Z",
        "2026-11-27T00:00:00Z", "2026-11-28T12:00:00Z",
      ], "daily:2")
    #expect(try files() == ["shop.log", "shop.log.2026-11-26", "shop.log.2026-11-27"])
    let day = try demo.folder.text("shop.log.2026-11-26").split(separator: "\n")
    #expect(day.count { $0.contains("order placed") } == 2)
    #expect(day.allSatisfy { $0.hasPrefix("2026-11-26T") })
    let today = try demo.folder.text("shop.log").split(separator: "\n")
    #expect(today.count { $0.contains("order placed") } == 1)
  }

  @Test func `hourly log rotation makes an archive for each hour`() async throws {
    try await buy(at: ["2026-11-27T12:59:59Z", "2026-11-27T13:00:00Z"], "hourly")
    #expect(try files() == ["shop.log", "shop.log.2026-11-27T12"])
  }

  @Test func `log rotation by size keeps the given number of archives`() async throws {
    try await buy(at: Array(repeating: "2026-11-27T12:00:00Z", count: 6), "1KB:2")
    #expect(try files() == ["shop.log", "shop.log.1", "shop.log.2"])
    for file in try files() { #expect(try demo.folder.text(file).utf8.count <= 1_000) }
  }

  @Test(
    arguments: [
      ("daily", .daily()), ("daily:14", .daily(keep: 14)), ("hourly", .hourly()),
      ("hourly:0", .hourly(keep: 0)), ("1000000", .size(1_000_000)), ("64KB", .size(64_000)),
      ("10MB:5", .size(10_000_000, keep: 5)), ("1GB", .size(1_000_000_000)),
    ] as [(String, FileRotation)])
  func `the --log-rotate option accepts daily, hourly or a size`(
    text: String, rotation: FileRotation
  ) throws {
    #expect(try FileRotation(argument: text, of: ServiceOptions.logRotate) == rotation)
  }

  @Test(arguments: [
    "weekly", "Daily", "0", "0MB", "-1", "+5", "10TB", "1.5MB", "MB", ":5", "10 MB",
    "99999999999GB", "99999999999999999999", "\u{661}MB",
    "daily:", "daily:-1", "daily:all", "10MB:5:6", "hourly:99999999999999999999",
  ])
  func `the --log-rotate option refuses any other value`(text: String) {
    let error = #expect(throws: UsageError.self) {
      try FileRotation(argument: text, of: ServiceOptions.logRotate)
    }
    #expect(error?.option == "--log-rotate")
    #expect(error.map { "\($0)".contains("“\(text)”") } == true)
  }

  @Test(arguments: ["", " --log none", " --log stdout", " --log stderr"])
  func `the --log-rotate option requires a log file`(log: String) async throws {
    let outcome = try await demo(line: "products --log-rotate daily\(log)")
    #expect(outcome.isUsageError(of: "products", about: "--log file:PATH"))
  }
}
