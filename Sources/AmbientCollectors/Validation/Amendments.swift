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
    let field: String
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

  /// Notes what was found in an event that is sent. Reports where it is called, outside the lock.
  func note(_ problems: [EventProblem]) {
    guard !problems.isEmpty else { return }
    let news = state.withLock { state in
      problems.filter { problem in
        guard
          state.isNew(Finding(event: problem.id, field: problem.field, rule: problem.rule.id))
        else { return false }
        state.counts[problem.rule.id, default: 0] += 1
        return state.told.count < Self.mostReports && state.told.insert(problem.kind).inserted
      }
    }
    for problem in news {
      Diagnostics.report(
        Diagnostic(.amended, source: name, "\(problem); further ones are counted"))
    }
  }
}
