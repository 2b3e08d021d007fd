// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import TestSupport
import Testing

/// A scope that stands still.
enum Stall {
  static let limit = Duration.milliseconds(200)
  /// What the scope calls its body.
  static let body = "the body of the scope at Tests/Stall.swift:7"

  /// What the scope says about whoever keeps it, which it also reports.
  static func text(
    patience: Duration = .milliseconds(200),
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> String {
    let reports = Timeline()
    let end = await outcome {
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(
          from: start, limit: limit, patience: patience, fileID: "Tests/Stall.swift", line: 7, body)
      }
    }
    let error = #expect(throws: VirtualTimeError.self) { try end?.get() }
    let stalled = try #require(error)
    guard stalled.code == .stalled else {
      Issue.record(stalled)
      return ""
    }
    let told = reports.lines.filter { $0.contains("stalled") }
    #expect(told == ["Time.virtual: \(stalled.description)"])
    return stalled.description
  }
}

extension VirtualTimeError {
  /// Whether a scope has stalled.
  var isStall: Bool { code == .stalled }

  /// Who waits in a deadlock; nil of another error.
  var deadlocked: [String]? { code == .deadlock ? waiting : nil }
}

/// What comes of the body, which may never return; nil if it does not within the patience of a test.
func outcome<R: Sendable>(
  of body: @escaping @Sendable () async throws -> R
) async -> Result<R, any Error>? {
  let kept = Guarded<Result<R, any Error>?>(nil)
  Task {
    let result: Result<R, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    kept.withLock { $0 = result }
  }
  _ = await Patience.waitIdly { kept.withLock { $0 != nil } }
  return kept.withLock { $0 }
}
