// SPDX-License-Identifier: Apache-2.0

import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

@testable import Ambient

extension AmbientContext<String> {
  @inline(never) fileprivate var tariff: String { instance }
}

@Suite struct `Late assignments` {
  /// What is reported while `body` runs.
  private func reports(_ body: () -> Void) -> [Diagnostic] {
    let reports = Reports()
    Diagnostics.withInstance(reports, body)
    LateAssignmentReports.wait(atMost: Patience.short)
    return reports.all
  }

  @Test
  func `an assignment after the first read takes effect, and the report names both callers`()
    throws
  {
    let context = AmbientContext<String>("Tariff") { "default" }
    let reports = reports {
      _ = context.instance
      context.instance = "late"
    }
    #expect(context.instance == "late")
    let report = try #require(reports.first)
    #expect(report.kind == .lateAssignment)
    #expect(report.source == "Tariff.instance")
    let lines = report.message.split(separator: "\n")
    #if os(Linux)
      let read = try #require(lines.first { $0.contains("first read: ") })
      let set = try #require(lines.first { $0.contains("set: ") })
      #expect(read.contains("LateAssignmentTests.swift:"), "\(report.message)")
      #expect(set.contains("LateAssignmentTests.swift:"), "\(report.message)")
      // One caller more for the read, and one for the assignment.
      #expect(lines.count { $0.contains("called from ") } == 2, "\(report.message)")
    #endif
    // This is a test process.
    #expect(report.message.contains(".isolatedAmbients"), "\(report.message)")
  }

  #if os(Linux)
    @Test func `if a macro reads a context first, a late assignment report names the source line`()
      throws
    {
      let context = AmbientContext<String>("Tariff") { "default" }
      let reports = reports {
        #expect(context.instance == "default")
        context.instance = "late"
      }
      let message = try #require(reports.first?.message)
      #expect(!message.contains("swiftmacro"), "\(message)")
      #expect(message.contains("first read: \(#filePath):"), "\(message)")
    }
  #endif

  #if os(Linux)
    @Test func `a late assignment report can name a first read in an extension of AmbientContext`()
      throws
    {
      let context = AmbientContext<String>("Tariff") { "default" }
      let reports = reports {
        _ = context.tariff
        context.instance = "late"
      }
      let message = try #require(reports.first?.message)
      #expect(message.contains("first read: \(#filePath):"), "\(message)")
      #expect(message.contains("tariff.getter"), "\(message)")
    }
  #endif

  #if os(Linux)
    @Test
    func `if no thread can start, an assignment after the first read is reported synchronously`()
      async
    {
      await #expect(processExitsWith: .success) {
        await ResourceLimit.forbidThreads()
        let reports = Reports()
        Diagnostics.withInstance(reports) {
          for number in 1...3 {
            let context = AmbientContext<String>("Tariff") { "default" }
            _ = context.instance
            context.instance = "late"
            precondition(reports.all.count == number, "\(reports.all)")
          }
        }
        precondition(reports.all.allSatisfy { $0.kind == .lateAssignment }, "\(reports.all)")
      }
    }
  #endif

  @Test func `only one assignment after the first read is reported per context`() {
    let context = AmbientContext<String>("Tariff") { "default" }
    let reports = reports {
      _ = context.instance
      context.instance = "late"
      context.instance = "later"
    }
    #expect(reports.count == 1)
  }

  @Test func `assigning a context twice before its first read is not reported`() {
    let context = AmbientContext<String>("Tariff") { "default" }
    let reports = reports {
      context.instance = "first"
      context.instance = "second"
      #expect(context.instance == "second")
    }
    #expect(reports.isEmpty)
  }

  /// In a process of its own: while another test's isolating scope is alive, reads take another way.
  @Test
  func `if a context is assigned, read and assigned again, the second assignment is reported`()
    async
  {
    await #expect(processExitsWith: .success) {
      let reports = Reports()
      Diagnostics.withInstance(reports) {
        let got = AmbientContext<String>("Got") { "default" }
        got.instance = "early"
        _ = got.instance
        got.instance = "late"
        let called = AmbientContext<String>("Called") { "default" }
        called.instance = "early"
        _ = called.withService { $0.count }
        called.instance = "late"
        let object = AmbientContext<Reports>("Object") { Reports() }
        object.instance = Reports()
        _ = object.withService { $0.all.count }
        object.instance = Reports()
      }
      LateAssignmentReports.wait(atMost: Patience.short)
      #expect(
        reports.all.map { "\($0.kind) \($0.source)" } == [
          "lateAssignment Got.instance", "lateAssignment Called.instance",
          "lateAssignment Object.instance",
        ])
    }
  }

  @Test(.withoutSanitizer)
  func `reporting 2,000 assignments after the first read uses fewer than 20 threads`() async {
    await #expect(processExitsWith: .success) {
      let most = Guarded((reports: 0, threads: 0))
      Diagnostics.instance = .calling { _ in
        let threads =
          (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        most.withLock { $0 = ($0.reports + 1, max($0.threads, threads.count)) }
      }
      for _ in 0..<2_000 {
        let context = AmbientContext<Int>("Number") { 1 }
        _ = context.instance
        context.instance = 2
      }
      LateAssignmentReports.wait(atMost: Patience.short)
      precondition(
        most.withLock { $0.reports == 2_000 && $0.threads < 20 }, "\(most.withLock { $0 })")
    }
  }

  @Test func `if a diagnostics handler exits the program, pending late assignments are reported`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .exitCode(7), observing: [\.standardErrorContent]
    ) {
      let first = AmbientContext<Int>("First") { 1 }
      _ = first.instance
      for _ in 0..<3 {
        let context = AmbientContext<Int>("Number") { 1 }
        _ = context.instance
        context.instance = 2
      }
      let isReady = Guarded(false)
      let ending = Diagnostics.calling { _ in
        while !isReady.withLock({ $0 }) { usleep(1_000) }
        exit(7)
      }
      Diagnostics.withInstance(ending) { first.instance = 2 }
      for _ in 0..<3 {
        let context = AmbientContext<Int>("Number") { 1 }
        _ = context.instance
        context.instance = 2
      }
      isReady.withLock { $0 = true }
      sleep(1_000)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.components(separatedBy: "Ambient: Number.instance: ").count == 7, "\(text)")
  }

  #if os(Linux)
    @Test
    func `if a process forks after a late assignment, only the parent reports the assignment`()
      async throws
    {
      let result = try await #require(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        let context = AmbientContext<Int>("Forked") { 1 }
        _ = context.instance
        context.instance = 2
        // At once, while the report still waits, as it takes long to find the callers.
        let status = statusOfFork { exit(0) }
        precondition(status == 0, "\(status)")
        LateAssignmentReports.wait(atMost: Patience.short)
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(
        text.components(separatedBy: "Ambient: Forked.instance: ").count == 2, "\(text)")
    }
  #endif

  @Test func `inside a scope, assigning a context after reading it is not reported`() {
    let context = AmbientContext<String>("Tariff") { "default" }
    let reports = reports {
      context.withInstance("bound") {
        _ = context.instance
        context.instance = "assigned"
      }
    }
    #expect(reports.isEmpty)
  }

  @Test func `in strict mode, assigning an instance after its first read stops the program`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      AmbientScope.isStrict = true
      let context = AmbientContext<String>("Tariff") { "default" }
      context.instance = "early"
      _ = context.instance
      context.instance = "late"
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ambient, strict mode: Tariff.instance: "))
    #expect(text.contains("first read: "))
  }

  @Test func `in strict mode, reading a context that was never assigned stops the program`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      AmbientScope.isStrict = true
      let context = AmbientContext<String>("Tariff") { "default" }
      _ = context.instance
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ambient, strict mode: Tariff.instance: "))
    #expect(!text.contains("first read: "))
  }

  @Test func `in strict mode, reads in a scope and assignments before the first read are allowed`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientScope.isStrict = true
      let context = AmbientContext<String>("Tariff") { "default" }
      AmbientScope.isolated { _ = context.instance }
      context.instance = "early"
      _ = context.instance
    }
  }

  @Test
  func `in strict mode, a program can freeze or simulate time before assigning Time.instance`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientScope.isStrict = true
      Time.freeze(at: Time.freeze(at: .distantPast) { Time.now }) {}
      await Time.hold {}
      await Time.task {}.value
      try await Time.virtual(from: .distantPast) { _ in }
      Time.instance = FixedTime(at: .distantFuture)
    }
  }

  @Test func `in strict mode, diagnostics can be reported without assigning Diagnostics.instance`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      AmbientScope.isStrict = true
      Diagnostics.report(Diagnostic(.writeFailed, source: "Test", "a trouble"))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Ambient: Test: a trouble\n"))
  }

  @Test(arguments: [
    (nil, false), ("", false), ("0", false), ("off", false), ("1", true), ("TRUE", true),
  ])
  func `the environment variable AMBIENT_STRICT turns strict mode on or off`(
    value: String?, strict: Bool
  ) {
    #expect(Strictness.setting(value) == strict)
    #expect(reports { Strictness.check(value) }.isEmpty)
  }

  @Test func `a diagnostics handler can read contexts while it handles an invalid AMBIENT_STRICT`()
    async
  {
    await #expect(processExitsWith: .success) {
      setenv("AMBIENT_STRICT", "perhaps", 1)
      let heard = Guarded<[Date]>([])
      Diagnostics.instance = .calling { _ in
        let now = Time.now
        heard.withLock { $0.append(now) }
      }
      _ = Time.now
      precondition(heard.withLock { $0.count } == 1)
    }
  }

  @Test func `an invalid value of AMBIENT_STRICT is reported and ignored`() {
    #expect(Strictness.setting("perhaps") == nil)
    #expect(reports { Strictness.check("perhaps") }.map(\.kind) == [.invalidSetting])
  }

  @Test func `a line break in a diagnostic's text can't forge a second diagnostic line`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      Diagnostics.report(
        Diagnostic(
          .writeFailed, source: "Test",
          "a “\u{1B}[31m” and\nAmbient: forged\n\n  indented\n one\n   more"))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = "\n  Ambient: forged\n  \n  indented\n   one\n   more\n"
    #expect(text.contains("Ambient: Test: a “\\u001b[31m” and" + lines), "\(text)")
  }
}
