import CVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A program of tests that cannot end says so, and ends. In processes of their own, which do.
struct `A program of tests in which a scope cannot be ended` {
  @Sendable private static func block() { DispatchSemaphore(value: 0).wait() }

  @Test func `ends with the names of those that block as many threads as the pool has`()
    async throws
  {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent])
      {
        alarm(300)
        ambient_tests_set_limit(1)
        await withTaskGroup { group in
          for line in 1...UInt(8 * ProcessInfo.processInfo.activeProcessorCount) {
            group.addTask {
              _ = try? await Time.virtual(
                from: start, limit: .milliseconds(200), fileID: "Tests/Blocked.swift", line: line
              ) { _ in
                Time.task(name: "careless") { throw Trouble.here }
                await Task.yield()
                Self.block()
              }
            }
          }
        }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("this program of tests ends"), "\(text)")
    #expect(text.contains("for 1 s (AMBIENT_TESTS_LIMIT sets another limit"))
    let scopes = text.split(separator: "\n").filter {
      $0.contains("- the scope at Tests/Blocked.swift:")
    }
    let blocked = scopes.filter { $0.contains("that runs, or blocks its thread") }
    #expect(blocked.count == ProcessInfo.processInfo.activeProcessorCount, "\(text)")
    #expect(blocked.allSatisfy { $0.contains("“careless”") && $0.contains("threw here") })
  }

  /// A scope whose test is waited for, as under the trait.
  private static func wait(
    _ limit: UInt32, until condition: @escaping @Sendable () async -> Void
  ) async {
    alarm(300)
    ambient_tests_set_limit(limit)
    let time = VirtualTime(
      from: Date(timeIntervalSinceReferenceDate: 0), seed: 0, limit: .milliseconds(200))
    let place = SourcePlace(fileID: "Tests/Waits.swift", line: 7)
    _ = await time.run(at: place, mayLeave: false, { _ in await condition() }, tell: { _ in })
  }

  @Test func `ends with the name of a test that waits for what never comes`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent])
      {
        await Self.wait(1) {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    // A deadlock, or a stall where the main queue is too busy to answer within the limit.
    #expect(text.contains("- the scope at Tests/Waits.swift:7: "), "\(text)")
    #expect(text.contains("the body of the scope at Tests/Waits.swift:7, since uptime 0.0"))
  }

  @Test(arguments: [0, 60] as [UInt32])
  func `goes on where it is to have time, and a test goes on late`(limit: UInt32) async {
    await #expect(processExitsWith: .success) { [limit] in
      await Self.wait(limit) {
        await withCheckedContinuation { continuation in
          Outside.run {
            usleep(2_000_000)
            continuation.resume()
          }
        }
      }
    }
  }

  @Test func `has a minute unless the environment says another limit`() async throws {
    guard ProcessInfo.processInfo.environment["AMBIENT_TESTS_LIMIT"] == nil else { return }
    #expect(ambient_tests_limit() == 60)
  }
}
