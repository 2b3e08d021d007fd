internal import Ambient
internal import Foundation

/// Counts what a collector sends otherwise than it was tracked, by rule, and reports each kind
/// once.
public final class Amendments: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var told: Set<String> = []
    /// What was counted last, and before that: an event that is read once more counts once.
    var known: (last: Set<Finding>, before: Set<Finding>) = ([], [])

    mutating func isNew(_ finding: Finding) -> Bool {
      guard !known.last.contains(finding), !known.before.contains(finding) else { return false }
      if known.last.count >= Amendments.mostKnown { known = ([], known.last) }
      known.last.insert(finding)
      return true
    }
  }

  private struct Finding: Hashable {
    let event: UUID
    /// Of its path, which may be as long as an event.
    let field: StableDigest
    let rule: String
  }

  private let state = Guarded(State())
  private let name: String

  /// More kinds than these are counted, and not reported.
  private static var mostReports: Int { 32 }
  /// More than what is read of a queue at once has.
  private static var mostKnown: Int { 10_000 }

  /// - Parameter name: What reports call the collector.
  public init(_ name: String) { self.name = name }

  /// How many fields and events were changed, by the name of the rule.
  public var counts: [String: Int] { state.withLock { $0.counts } }

  private var mayReport: Bool { state.withLock { $0.told.count < Self.mostReports } }

  /// Notes what was found in an event that is sent. Reports where it is called, outside the lock.
  func note(_ problems: [EventProblem]) {
    guard !problems.isEmpty else { return }
    let findings = problems.map { problem in
      Finding(
        event: problem.id, field: StableDigest(problem.field.utf8), rule: problem.rule.id)
    }
    let news = state.withLock { state in
      zip(problems, findings).compactMap { problem, finding in
        guard state.isNew(finding) else { return nil as EventProblem? }
        state.counts[problem.rule.id, default: 0] += 1
        return problem
      }
    }
    for problem in news where mayReport {
      let kind = problem.kind
      guard state.withLock({ $0.told.insert(kind).inserted }) else { continue }
      Diagnostics.report(
        Diagnostic(.amended, source: name, "\(problem); further ones are counted"))
    }
  }
}
