// SPDX-License-Identifier: Apache-2.0

import Ambient
import CVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

/// A program of tests that cannot end says so, and ends. In processes of their own, which do.
struct `Stuck test programs` {
  @Sendable private static func block() { DispatchSemaphore(value: 0).wait() }

  @Test(arguments: [true, false])
  func `a stuck test program exits and names the tasks that block every pool thread`(
    mayLeave: Bool
  ) async throws {
    let exit = await #expect(
      processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
    ) { [mayLeave] in
      endIfHanging()
      ambient_tests_set_limit(1)
      await withTaskGroup { group in
        for line in 1...UInt(8 * ProcessInfo.processInfo.activeProcessorCount) {
          group.addTask {
            let place = SourcePlace(fileID: "Tests/Blocked.swift", line: line)
            let body: @Sendable (VirtualTime) async throws -> Void = { _ in
              Time.task(name: "careless") { throw Trouble.here }
              await Task.yield()
              Self.block()
            }
            _ = await Self.time(limit: .milliseconds(200)).run(
              at: place, mayLeave: mayLeave, body, tell: { _ in })
          }
        }
      }
    }
    let result = try #require(exit)
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains(ScopeWatch.text(ofEnd: [], after: 1)), "\(text)")
    let scopes = text.split(separator: "\n").filter {
      $0.contains("- the scope at Tests/Blocked.swift:")
    }
    let blocked = scopes.filter { $0.contains(", which \(ScopeSnapshot.blocks)") }
    #expect(blocked.count == ProcessInfo.processInfo.activeProcessorCount, "\(text)")
    #expect(blocked.allSatisfy { $0.contains("“careless”") && $0.contains("threw here") })
  }

  private static func time(limit: Duration) -> VirtualTime {
    VirtualTime(from: Date(timeIntervalSinceReferenceDate: 0), seed: 0, limit: limit)
  }

  /// A scope whose test is waited for, as under the trait.
  private static func wait(
    _ limit: UInt32, scope: Duration = .seconds(10),
    until condition: @escaping @Sendable () async -> Void
  ) async {
    endIfHanging()
    ambient_tests_set_limit(limit)
    let place = SourcePlace(fileID: "Tests/Waits.swift", line: 7)
    _ = await time(limit: scope).run(
      at: place, mayLeave: false, { _ in await condition() }, tell: { _ in })
  }

  /// Keeps all threads of the pool for a while, as tests that wait for a child process do, and all
  /// that is queued up now behind these.
  @Sendable private static func keepPool() {
    AmbientScope.outside {
      for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
        Task.detached { usleep(4_000_000) }
      }
    }
  }

  @Test func `a stuck test program exits and names a test that waits forever`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent])
      {
        // Else it might wait for ever.
        Outside.run {
          let end = ContinuousClock.now + Patience.short
          while ContinuousClock.now < end { usleep(10_000) }
          exit(EXIT_SUCCESS)
        }
        await Self.wait(1) {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("- the scope at Tests/Waits.swift:7: "), "\(text)")
    #expect(text.contains("the body of the scope at Tests/Waits.swift:7, since uptime 0.0"))
  }

  @Test(arguments: [0, 60] as [UInt32])
  func `if the limit for stuck test programs is zero or a minute, a slow test isn't stopped`(
    limit: UInt32
  ) async {
    await #expect(processExitsWith: .success) { [limit] in
      await Self.wait(limit) {
        await Outside.wait { _ = usleep(2_000_000) }
      }
    }
  }

  @Test func `a test program isn't stopped while other thread pool work delays a cancelled scope`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      ambient_tests_set_limit(2)
      let place = SourcePlace(fileID: "Tests/Waits.swift", line: 7)
      let told = Timeline()
      let (promise, keep) = AsyncStream<Void>.makeStream()
      _ = await Self.time(limit: .seconds(10)).run(
        at: place, mayLeave: false,
        { _ in
          // Does not heed its cancellation.
          await Task.detached { for await _ in promise { break } }.value
        },
        tell: { _ in
          told.note("told")
          Self.keepPool()
          Outside.run {
            usleep(6_000_000)
            keep.yield()
          }
        })
      precondition(told.lines.count == 1)
    }
  }

  @Test func `a test program isn't stopped while other thread pool work delays a scope's caller`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      ambient_tests_set_limit(2)
      let place = SourcePlace(fileID: "Tests/Waits.swift", line: 7)
      let (result, _, _) = await Self.time(limit: .milliseconds(200)).run(
        at: place, mayLeave: true,
        { time in
          Self.keepPool()
          while !time.scheduler.withState({ $0.hasEnded }) { usleep(1_000) }
        }, tell: { _ in })
      #expect(throws: VirtualTimeError.self) { try result.get() }
    }
  }

  @Test func `a test program isn't stopped while a cancelled test still runs jobs`() async {
    await #expect(processExitsWith: .success) {
      await Self.wait(3, scope: .milliseconds(200)) {
        for _ in 0..<100 { await Outside.wait { _ = usleep(40_000) } }
      }
    }
  }

  @Test func `the limit for stuck test programs is a minute unless the environment sets a limit`()
    async throws
  {
    let text = ProcessInfo.processInfo.environment["AMBIENT_TESTS_LIMIT"]
    #expect(ambient_tests_limit() == text.flatMap { UInt32($0) } ?? 60)
  }

  @Test(arguments: [
    "", "abc", "-1", "2m", " 5", "+5", "4294967296", "99999999999999999999", "\u{1B}[31m\nб",
    String(repeating: "x", count: 10_000),
  ])
  func `an invalid AMBIENT_TESTS_LIMIT is reported, and the limit is set to a minute`(
    text: String
  )
    async throws
  {
    let exit = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [text] in
      ambient_tests_set_limit(7)
      ambient_tests_read_limit(text)
      precondition(ambient_tests_limit() == 60)
    }
    let result = try #require(exit)
    let said = String(decoding: result.standardErrorContent, as: UTF8.self)
    let shown = text.utf8.prefix(79).map {
      (32...126).contains($0) ? Character(UnicodeScalar($0)) : "?"
    }
    let end = text.utf8.count > 79 ? "…”" : "”"
    #expect(said.contains("AMBIENT_TESTS_LIMIT “\(String(shown))\(end)"))
    #expect(said.utf8.allSatisfy { $0 >= 32 || $0 == 10 } && said.hasSuffix("; using 60.\n"))
  }

  @Test(arguments: ["0", "5", "4294967295"])
  func `a valid AMBIENT_TESTS_LIMIT is used without a report`(text: String) async throws {
    let exit = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [text] in
      ambient_tests_set_limit(7)
      // As another call may have left it.
      errno = ERANGE
      ambient_tests_read_limit(text)
      precondition(ambient_tests_limit() == UInt32(text))
    }
    let result = try #require(exit)
    let said = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(!said.contains("AMBIENT_TESTS_LIMIT"))
  }

  @Test(arguments: [("2m", true), ("5", false)])
  func `a test program reads AMBIENT_TESTS_LIMIT from the environment when loaded`(
    text: String, complains: Bool
  ) async throws {
    let program = try #require(CommandLine.arguments.first)
    let result = try await Command.run(
      "AMBIENT_TESTS_LIMIT=\(text)", program, "--testing-library", "swift-testing", "--filter",
      "is a minute unless the environment")
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("AMBIENT_TESTS_LIMIT “2m”") == complains)
    #expect(result.output.contains("1 test"), "\(result.output)")
  }
}
