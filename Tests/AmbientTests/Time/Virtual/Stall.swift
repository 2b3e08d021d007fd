import Ambient
import Testing

/// A scope that stands still.
enum Stall {
  static let limit = Duration.milliseconds(200)
  /// What the scope calls its body.
  static let body = "the body of the scope at Tests/Stall.swift:7"

  /// What the scope says about whoever keeps it, which it also reports.
  static func text(
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> String {
    let reports = Timeline()
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(
          from: start, limit: limit, fileID: "Tests/Stall.swift", line: 7, body)
      }
    }
    let stalled = try #require(error)
    guard case .stalled(after: limit, _) = stalled else {
      Issue.record(stalled)
      return ""
    }
    let told = reports.lines.filter { $0.contains("stalled") }
    #expect(told == ["Time.virtual: \(stalled.description)"])
    return stalled.description
  }
}
