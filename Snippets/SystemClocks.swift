// SPDX-License-Identifier: Apache-2.0

// Time that code shows which never heard of Ambient.

import Ambient
import AmbientTesting
import Foundation
import Testing

// snippet.library
/// A library's code, or yours from before.
struct Voucher {
  let ends = Date() + 86_400

  var isValid: Bool { Date() < ends }
}
// snippet.end

// snippet.frozen
@Suite(.frozen(at: "2026-11-27T00:00:00Z", date: true)) struct `A voucher` {
  @Test func `is valid for a day`() throws {
    let voucher = Voucher()
    #expect(voucher.isValid)
    Time.travel(by: .seconds(86_400)) { #expect(!voucher.isValid) }
  }
}
// snippet.end

// snippet.retry
/// A library's code: tries again after 1, 2, 4, … seconds.
func retried<R>(_ body: () async throws -> R) async throws -> R {
  for attempt in 0..<5 {
    do { return try await body() } catch {}
    try await Task.sleep(for: .seconds(1 << attempt))
  }
  return try await body()
}
// snippet.end

struct NoLine: Error {}

// snippet.virtual
@Test(.virtualTime(from: "2026-11-27T00:00:00Z", systemClocks: true))
func `a call is tried for half a minute`() async throws {
  let start = ContinuousClock.now
  await #expect(throws: NoLine.self) { try await retried { throw NoLine() } }
  #expect(start.duration(to: .now) == .seconds(31))
}
// snippet.end

// snippet.condition
@Test(
  .enabled(if: VirtualTime.hasSystemClocks),
  .virtualTime(from: "2026-11-27T00:00:00Z", systemClocks: true))
func `a day passes at once`() async throws {
  try await Task.sleep(for: .seconds(86_400))
  #expect(try Date() == Date(iso8601: "2026-11-28T00:00:00Z"))
}
// snippet.end
